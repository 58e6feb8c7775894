export { createAccountRoutes } from "./account/steps/routes.ts";
export { type Asset, type Assets, assetCacheControl, loadAssets } from "./assets.ts";
export type { PageDeps } from "./deps.ts";
export { type InboxMessage, type InboxModel, inboxPage } from "./dev/inbox-view.ts";
export { createPageFailure, createUntrustedPage, type PageFailure } from "./failures.ts";
export {
  type AccountView,
  type ChoosableAccount,
  type ChooseAccountModel,
  type ClientView,
  type ContinueModel,
  chooseAccountPage,
  continuePage,
  type EndableSession,
  type ErrorModel,
  errorPage,
  type LoggedOutModel,
  type LoginNameModel,
  type LogoutModel,
  loggedOutPage,
  loginNamePage,
  logoutPage,
  type PageError,
  type PasswordChangeModel,
  type PasswordModel,
  type PasswordRules,
  type Places,
  pageErrors,
  passwordChangePage,
  passwordPage,
  type RegisterField,
  type RegisterModel,
  registerPage,
  type SetupField,
  type SetupModel,
  type SignedInModel,
  type StartModel,
  setupPage,
  signedInPage,
  startPage,
} from "./login/index.ts";
export { createFormPostPage } from "./relay/form-post.ts";
export { createAssetRoute, type PageResponse, respondWithPage } from "./respond.ts";
export { createPageRoutes } from "./routes.ts";
