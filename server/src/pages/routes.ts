import { endpointPaths, type WebRoute } from "../web/index.ts";
import { createAvatarRoute } from "./avatars.ts";
import { createBrandingRoute } from "./branding.ts";
import type { PageDeps } from "./deps.ts";
import { inboxRoutes } from "./dev/inbox.ts";
import { docsRoutes } from "./docs/routes.ts";
import { createProviderRoutes } from "./identity-provider/callback.ts";
import { showAccounts, takeAccount, takeRemoval } from "./login/steps/accounts.ts";
import { addFactorPages } from "./login/steps/add-factor.ts";
import { addFactorCodePages } from "./login/steps/add-factor-code.ts";
import { showConsent, takeConsent } from "./login/steps/consent.ts";
import { showContinue, takeContinue } from "./login/steps/continue.ts";
import { leadToDevice, showDeviceCode, takeDeviceCode } from "./login/steps/device-code.ts";
import { showDeviceConfirm, showDeviceDone, takeDeviceConfirm } from "./login/steps/device-confirm.ts";
import { showExternal, takeExternal } from "./login/steps/external.ts";
import { showExternalLink, takeExisting, takeExternalLink } from "./login/steps/external-link.ts";
import { forgottenPages } from "./login/steps/forgotten.ts";
import { invitationPages } from "./login/steps/invitation.ts";
import { keyPages } from "./login/steps/key.ts";
import { showLoginName, takeLoginName } from "./login/steps/login-name.ts";
import { showLoggedOut, showLogout, takeLogout } from "./login/steps/logout.ts";
import { passkeyPages } from "./login/steps/passkey.ts";
import { showPassword, takePassword } from "./login/steps/password.ts";
import { showPasswordChange, takePasswordChange } from "./login/steps/password-change.ts";
import { passwordCodePages } from "./login/steps/password-code.ts";
import { takeProvider } from "./login/steps/provider.ts";
import { registerPages } from "./login/steps/register.ts";
import { registerConfirmPages } from "./login/steps/register-confirm.ts";
import { takeReturn } from "./login/steps/return.ts";
import { secondFactorPages } from "./login/steps/second-factor.ts";
import { showSetup, takeSetup } from "./login/steps/setup.ts";
import { showSignedIn } from "./login/steps/signed-in.ts";
import { showStart } from "./login/steps/start.ts";
import { showEmailVerified, showVerifyEmail, takeVerifyEmail, verifyEmailResend } from "./login/steps/verify-email.ts";
import { verifyPhonePages } from "./login/steps/verify-phone.ts";
import { createAssetRoute } from "./respond.ts";
import { type PageAt, pageRoutes } from "./visit/handlers.ts";

/** All pages, with the handlers of GET and POST. */
const pages: readonly PageAt[] = [
  { path: "/", get: showStart },
  { path: "/ui/setup", get: showSetup, post: takeSetup },
  { path: "/ui/login", get: showLoginName, post: takeLoginName },
  ...registerPages,
  ...registerConfirmPages,
  { path: "/ui/login/verify-email", get: showVerifyEmail, post: takeVerifyEmail },
  { path: "/ui/login/verify-email/done", get: showEmailVerified },
  verifyEmailResend,
  ...verifyPhonePages,
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
  ...pages.flatMap((page) => pageRoutes(deps, page)),
  ...createProviderRoutes(deps),
  ...docsRoutes(deps),
  ...inboxRoutes(deps),
];
