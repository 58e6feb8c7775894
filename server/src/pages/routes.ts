import { endpointPaths, type WebRoute } from "../web/index.ts";
import { createAvatarRoute } from "./avatars.ts";
import { createBrandingRoute } from "./branding.ts";
import { createClientLogoRoute } from "./client-logo.ts";
import type { PageDeps } from "./deps.ts";
import { inboxRoutes } from "./dev/inbox.ts";
import { docsRoutes } from "./docs/routes.ts";
import { createProviderRoutes } from "./identity-provider/callback.ts";
import { showAccounts, takeAccount, takeRemoval } from "./login/accounts/handler.ts";
import { addFactorCodePages } from "./login/add-factor/code-handler.ts";
import { addFactorPages } from "./login/add-factor/handler.ts";
import { showConsent, takeConsent } from "./login/consent/handler.ts";
import { showContinue, takeContinue } from "./login/continue/handler.ts";
import { leadToDevice, showDeviceCode, takeDeviceCode } from "./login/device-code/handler.ts";
import { showDeviceConfirm, showDeviceDone, takeDeviceConfirm } from "./login/device-confirm/handler.ts";
import { showExternal, takeExternal } from "./login/external/handler.ts";
import { showExternalLink, takeExisting, takeExternalLink } from "./login/external-link/handler.ts";
import { forgottenPages } from "./login/forgotten/handler.ts";
import { invitationPages } from "./login/invitation/handler.ts";
import { keyPages } from "./login/key/handler.ts";
import { showLoginName, takeLoginName } from "./login/login-name/handler.ts";
import { showLoggedOut, showLogout, takeLogout } from "./login/logout/handler.ts";
import { passkeyPages } from "./login/passkey/handler.ts";
import { showPassword, takePassword } from "./login/password/handler.ts";
import { showPasswordChange, takePasswordChange } from "./login/password-change/handler.ts";
import { passwordCodePages } from "./login/password-code/handler.ts";
import { takeProvider } from "./login/provider/handler.ts";
import { registerPages } from "./login/register/handler.ts";
import { registerConfirmPages } from "./login/register-confirm/handler.ts";
import { takeReturn } from "./login/return/handler.ts";
import { secondFactorPages } from "./login/second-factor/handler.ts";
import { showSetup, takeSetup } from "./login/setup/handler.ts";
import { showSignedIn } from "./login/signed-in/handler.ts";
import { showStart } from "./login/start/handler.ts";
import { verifyContactPages } from "./login/verify-contact/handler.ts";
import { createAssetRoute } from "./respond.ts";
import { type PageAt, pageRoutes } from "./visit/handlers.ts";

/** All pages, with the handlers of GET and POST. */
const pages: readonly PageAt[] = [
  { path: "/", get: showStart },
  { path: "/ui/setup", get: showSetup, post: takeSetup },
  { path: "/ui/login", get: showLoginName, post: takeLoginName },
  ...registerPages,
  ...registerConfirmPages,
  ...verifyContactPages,
  { path: "/ui/login/provider", post: takeProvider, pageOfForm: "/ui/login" },
  { path: "/ui/login/external", get: showExternal, post: takeExternal, rateLimit: "signUp" },
  { path: "/ui/login/external/existing", post: takeExisting, pageOfForm: "/ui/login/external" },
  { path: "/ui/login/external/link", get: showExternalLink, post: takeExternalLink },
  { path: "/ui/login/return", post: takeReturn, pageOfForm: "/ui/login" },
  { path: "/ui/login/password", get: showPassword, post: takePassword },
  { path: "/ui/login/password-change", get: showPasswordChange, post: takePasswordChange },
  ...secondFactorPages,
  ...addFactorPages,
  ...addFactorCodePages,
  ...keyPages,
  ...forgottenPages,
  ...passwordCodePages,
  ...invitationPages,
  ...passkeyPages,
  { path: "/ui/login/accounts", get: showAccounts, post: takeAccount },
  { path: "/ui/login/accounts/remove", post: takeRemoval, pageOfForm: "/ui/login/accounts" },
  { path: "/ui/login/continue", get: showContinue, post: takeContinue },
  { path: "/ui/login/consent", get: showConsent, post: takeConsent },
  { path: "/ui/login/signed-in", get: showSignedIn },
  { path: endpointPaths.deviceVerification, get: leadToDevice },
  { path: "/ui/login/device", get: showDeviceCode, post: takeDeviceCode },
  { path: "/ui/login/device/confirm", get: showDeviceConfirm, post: takeDeviceConfirm },
  { path: "/ui/login/device/done", get: showDeviceDone },
  { path: "/ui/logout", get: showLogout, post: takeLogout },
  { path: "/ui/logout/done", get: showLoggedOut },
];

/** Returns the routes of all pages, and of the files that they load. */
export const createPageRoutes = (deps: PageDeps): WebRoute[] => [
  createAssetRoute(deps.assets),
  createBrandingRoute(deps),
  createAvatarRoute(deps),
  createClientLogoRoute(deps),
  ...pages.flatMap((page) => pageRoutes(deps, page)),
  ...createProviderRoutes(deps),
  ...docsRoutes(deps),
  ...inboxRoutes(deps),
];
