import { endpointPaths } from "../../web/index.ts";
import type { PageAt } from "../visit/handlers.ts";
import { addFactorCodePages } from "./add-factor/code-handler.ts";
import { addFactorPages } from "./add-factor/handler.ts";
import { leadToDevice, showDeviceCode, takeDeviceCode } from "./device-code/handler.ts";
import { showDeviceConfirm, showDeviceDone, takeDeviceConfirm } from "./device-confirm/handler.ts";
import { showExternal, takeExternal } from "./external/handler.ts";
import { showExternalLink, takeExisting, takeExternalLink } from "./external-link/handler.ts";
import { forgottenPages } from "./forgotten/handler.ts";
import { showImpersonation, takeImpersonation } from "./impersonation/handler.ts";
import { invitationPages } from "./invitation/handler.ts";
import { keyPages } from "./key/handler.ts";
import { passkeyPages } from "./passkey/handler.ts";
import { showPasswordChange, takePasswordChange } from "./password-change/handler.ts";
import { passwordCodePages } from "./password-code/handler.ts";
import { registerPages } from "./register/handler.ts";
import { registerConfirmPages } from "./register-confirm/handler.ts";
import { showSetup, takeSetup } from "./setup/handler.ts";
import { verifyContactPages } from "./verify-contact/handler.ts";

/** The pages that most sign-ins do without. */
export const rarePages: readonly PageAt[] = [
  { path: "/ui/setup", get: showSetup, post: takeSetup },
  ...registerPages,
  ...registerConfirmPages,
  ...verifyContactPages,
  { path: "/ui/login/external", get: showExternal, post: takeExternal, rateLimit: "signUp" },
  { path: "/ui/login/external/existing", post: takeExisting, pageOfForm: "/ui/login/external" },
  { path: "/ui/login/external/link", get: showExternalLink, post: takeExternalLink },
  { path: "/ui/login/password-change", get: showPasswordChange, post: takePasswordChange },
  ...addFactorPages,
  ...addFactorCodePages,
  ...keyPages,
  ...forgottenPages,
  ...passwordCodePages,
  ...invitationPages,
  { path: "/ui/login/impersonation", get: showImpersonation, post: takeImpersonation },
  ...passkeyPages,
  { path: endpointPaths.deviceVerification, get: leadToDevice },
  { path: "/ui/login/device", get: showDeviceCode, post: takeDeviceCode },
  { path: "/ui/login/device/confirm", get: showDeviceConfirm, post: takeDeviceConfirm },
  { path: "/ui/login/device/done", get: showDeviceDone },
];
