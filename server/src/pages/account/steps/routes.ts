import type { WebRoute } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, show } from "../../visit/answer.ts";
import { type PageAt, pageRoutes } from "../../visit/handlers.ts";
import { accountDeletedPage } from "../views/deleted.ts";
import { activityPages } from "./activity.ts";
import { addOtpPages } from "./add-otp.ts";
import { applicationPages } from "./applications.ts";
import { appointmentPages } from "./appointments.ts";
import { contactPages } from "./contact.ts";
import { dataPages } from "./data.ts";
import { homePage } from "./home.ts";
import { keyPages } from "./key.ts";
import { linkPages } from "./link.ts";
import { linkAnswerPages } from "./link-answer.ts";
import { methodsPages } from "./methods.ts";
import { passwordPages } from "./password.ts";
import { profilePages } from "./profile.ts";
import { recoveryCodePages } from "./recovery-codes.ts";
import { removeMethodPages } from "./remove-method.ts";
import { sessionPages } from "./sessions.ts";
import { totpPages } from "./totp.ts";
import { usernamePages } from "./username.ts";
import { wellKnownRoutes } from "./well-known.ts";

const accountPages: readonly PageAt[] = [
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

/** Creates the routes of the account: every page, and the well-known addresses for programs. */
export const createAccountRoutes = (deps: PageDeps): WebRoute[] => [
  ...accountPages.flatMap((page) => pageRoutes(deps, page)),
  ...wellKnownRoutes,
];
