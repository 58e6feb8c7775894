export type { AccountView } from "./parts/account.ts";
export type { ClientView } from "./parts/client.ts";
export type { PasswordRules } from "./parts/new-password.ts";
export type { Places } from "./parts/places.ts";
export { type ScopeTopic, scopeTopics } from "./parts/scopes.ts";
export { type AddFactorModel, addFactorPage } from "./views/add-factor.ts";
export { type ChoosableAccount, type ChooseAccountModel, chooseAccountPage } from "./views/choose-account.ts";
export { type ConsentModel, consentPage } from "./views/consent.ts";
export { type ContinueModel, continuePage } from "./views/continue.ts";
export { type DeviceCodeModel, deviceCodePage } from "./views/device-code.ts";
export { type DeviceConfirmModel, deviceConfirmPage } from "./views/device-confirm.ts";
export { type DeviceDoneModel, deviceDonePage } from "./views/device-done.ts";
export { type ErrorModel, errorPage, type PageError, pageErrors } from "./views/error.ts";
export { type ExternalModel, externalPage } from "./views/external.ts";
export { type ExternalLinkModel, externalLinkPage } from "./views/external-link.ts";
export { type ExternalEnd, type ExternalOutcomeModel, externalOutcomePage } from "./views/external-outcome.ts";
export { type ForgottenModel, forgottenPage } from "./views/forgotten.ts";
export { type KeyModel, keyPage } from "./views/key.ts";
export { type LoggedOutModel, loggedOutPage } from "./views/logged-out.ts";
export { type LoginNameField, type LoginNameModel, loginNamePage } from "./views/login-name.ts";
export { type EndableSession, type LogoutModel, logoutPage } from "./views/logout.ts";
export { type Method, type MethodsModel, methodsPage } from "./views/methods.ts";
export { type PasskeyModel, passkeyPage } from "./views/passkey.ts";
export { type PasswordModel, passwordPage } from "./views/password.ts";
export { type PasswordChangeModel, passwordChangePage } from "./views/password-change.ts";
export {
  type PasswordCodeField,
  type PasswordCodeModel,
  type PasswordCodePurpose,
  passwordCodePage,
} from "./views/password-code.ts";
export { type RegisterField, type RegisterModel, registerPage } from "./views/register.ts";
export { type RegisterConfirmModel, registerConfirmPage } from "./views/register-confirm.ts";
export { type SecondFactorModel, secondFactorPage } from "./views/second-factor.ts";
export { type SetupField, type SetupModel, setupPage } from "./views/setup.ts";
export { type SignedInModel, signedInPage } from "./views/signed-in.ts";
export { type StartModel, startPage } from "./views/start.ts";
export { type VerifyEmailModel, verifyEmailPage } from "./views/verify-email.ts";
