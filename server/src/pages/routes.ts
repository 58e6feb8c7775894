import type { WebRoute } from "../web/index.ts";
import { createAvatarRoute } from "./avatars.ts";
import { createBrandingRoute } from "./branding.ts";
import { createClientLogoRoute } from "./client-logo.ts";
import { consoleRoutes } from "./console/routes.ts";
import type { PageDeps } from "./deps.ts";
import { inboxRoutes } from "./dev/inbox.ts";
import { docsRoutes } from "./docs/routes.ts";
import { createProviderRoutes } from "./identity-provider/callback.ts";
import { showAccounts, takeAccount, takeRemoval } from "./login/accounts/handler.ts";
import { showConsent, takeConsent } from "./login/consent/handler.ts";
import { showContinue, takeContinue } from "./login/continue/handler.ts";
import { lateLoginPages } from "./login/late-pages.ts";
import { showLoginName, takeLoginName } from "./login/login-name/handler.ts";
import { showLoggedOut, showLogout, takeLogout } from "./login/logout/handler.ts";
import { showPassword, takePassword } from "./login/password/handler.ts";
import { takeProvider } from "./login/provider/handler.ts";
import { takeReturn } from "./login/return/handler.ts";
import { secondFactorPages } from "./login/second-factor/handler.ts";
import { showSignedIn } from "./login/signed-in/handler.ts";
import { showStart } from "./login/start/handler.ts";
import { previewRoutes } from "./preview/routes.ts";
import { createAssetRoute } from "./respond.ts";
import { setupLinkPages } from "./setup-link/late-pages.ts";
import { type PageAt, pageRoutes } from "./visit/handlers.ts";
import { latePageRoutes } from "./visit/late-pages.ts";

/** The pages of most sign-ins, with the handlers of GET and POST. */
const commonPages: readonly PageAt[] = [
  { path: "/", get: showStart },
  { path: "/ui/login", get: showLoginName, post: takeLoginName },
  { path: "/ui/login/provider", post: takeProvider, pageOfForm: "/ui/login" },
  { path: "/ui/login/return", post: takeReturn, pageOfForm: "/ui/login" },
  { path: "/ui/login/password", get: showPassword, post: takePassword },
  ...secondFactorPages,
  { path: "/ui/login/accounts", get: showAccounts, post: takeAccount },
  { path: "/ui/login/accounts/remove", post: takeRemoval, pageOfForm: "/ui/login/accounts" },
  { path: "/ui/login/continue", get: showContinue, post: takeContinue },
  { path: "/ui/login/consent", get: showConsent, post: takeConsent },
  { path: "/ui/login/signed-in", get: showSignedIn },
  { path: "/ui/logout", get: showLogout, post: takeLogout },
  { path: "/ui/logout/done", get: showLoggedOut },
];

/** Returns the routes of all pages, and of the files that they load. */
export const createPageRoutes = (deps: PageDeps): WebRoute[] => [
  createAssetRoute(deps.assets),
  createBrandingRoute(deps),
  createAvatarRoute(deps),
  createClientLogoRoute(deps),
  ...commonPages.flatMap((page) => pageRoutes(deps, page)),
  ...latePageRoutes(deps, lateLoginPages),
  ...latePageRoutes(deps, setupLinkPages),
  ...createProviderRoutes(deps),
  ...consoleRoutes(deps),
  ...previewRoutes(deps),
  ...docsRoutes(deps),
  ...inboxRoutes(deps),
];
