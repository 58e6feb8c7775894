import { pathTo, show } from "../visit/answer.ts";
import type { PageAt } from "../visit/handlers.ts";
import { activityPages } from "./activity/handler.ts";
import { addOtpPages } from "./add-otp/handler.ts";
import { applicationPages } from "./applications/handler.ts";
import { appointmentPages } from "./appointments/handler.ts";
import { contactPages } from "./contact/handler.ts";
import { accountDeletedPage } from "./data/deleted-view.ts";
import { dataPages } from "./data/handler.ts";
import { homePage } from "./home/handler.ts";
import { keyPages } from "./key/handler.ts";
import { linkAnswerPages } from "./link/answer-handler.ts";
import { linkPages } from "./link/handler.ts";
import { methodsPages } from "./methods/handler.ts";
import { removeMethodPages } from "./methods/remove-handler.ts";
import { passwordPages } from "./password/handler.ts";
import { profilePages } from "./profile/handler.ts";
import { recoveryCodePages } from "./recovery-codes/handler.ts";
import { sessionPages } from "./sessions/handler.ts";
import { totpPages } from "./totp/handler.ts";
import { usernamePages } from "./username/handler.ts";

/** All pages of the account. */
export const accountPages: readonly PageAt[] = [
  homePage,
  ...profilePages,
  ...contactPages,
  ...usernamePages,
  ...methodsPages,
  ...removeMethodPages,
  ...addOtpPages,
  ...linkPages,
  ...linkAnswerPages,
  ...passwordPages,
  ...keyPages,
  ...totpPages,
  ...recoveryCodePages,
  ...sessionPages,
  ...applicationPages,
  ...appointmentPages,
  ...activityPages,
  ...dataPages,
  {
    path: "/ui/account/deleted",
    get: (deps, visit) =>
      show(deps, visit, (context) => accountDeletedPage(context, { startHref: pathTo("/") }), {
        hasForm: false,
        surface: "account",
      }),
  },
];
