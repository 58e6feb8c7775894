import { replaceTexts, type Translations } from "./login-translation.ts";
import { flattenTexts } from "./login-words.ts";

/**
 * Maps texts of the first generation of the API to texts of our pages: `<screen>.<part>` → key. The mapping is one to
 * one, so that both generations read what the other wrote. Texts for screens that our pages do not have are stored, and
 * shown nowhere.
 */
export const loginTextKeys: Readonly<Record<string, string>> = {
  "selectAccountText.title": "accounts.title",
  "selectAccountText.otherUser": "accounts.other",
  "selectAccountText.sessionStateActive": "accounts.signed_in",
  "selectAccountText.sessionStateInactive": "accounts.signed_out",
  "loginText.title": "login_name.title",
  "loginText.loginNameLabel": "login_name.label",
  "loginText.nextButtonText": "login_name.submit",
  "loginText.registerButtonText": "login_name.register",
  "loginText.externalUserDescription": "login_name.or",
  "passwordText.title": "password.title",
  "passwordText.passwordLabel": "password.label",
  "passwordText.resetLinkText": "password.forgot",
  "passwordText.backButtonText": "account.change",
  "passwordText.nextButtonText": "password.submit",
  "passwordText.minLength": "password.rule.length",
  "passwordText.hasUppercase": "password.rule.upper_case",
  "passwordText.hasLowercase": "password.rule.lower_case",
  "passwordText.hasNumber": "password.rule.number",
  "passwordText.hasSymbol": "password.rule.symbol",
  "initPasswordText.title": "password_code.password_reset.title",
  "initPasswordText.description": "password_code.password_reset.text",
  "initPasswordText.newPasswordLabel": "password_code.password",
  "initPasswordText.newPasswordConfirmLabel": "password.repeat",
  "initPasswordText.nextButtonText": "password_code.submit",
  "initPasswordDoneText.title": "password_code.done",
  "initPasswordDoneText.description": "password_code.done_text",
  "initializeUserText.title": "password_code.initialization.title",
  "initializeUserText.description": "password_code.initialization.text",
  "emailVerificationText.title": "verify_email.title",
  "emailVerificationText.description": "verify_email.text",
  "emailVerificationText.codeLabel": "verify_email.code",
  "emailVerificationText.nextButtonText": "verify_email.submit",
  "emailVerificationDoneText.title": "verify_email.verified",
  "passwordChangeText.title": "password_change.title",
  "passwordChangeText.description": "password_change.required",
  "passwordChangeText.expiredDescription": "password_change.expired",
  "passwordChangeText.oldPasswordLabel": "password_change.current",
  "passwordChangeText.newPasswordLabel": "password_change.new",
  "passwordChangeText.nextButtonText": "password_change.submit",
  "registrationUserText.title": "register.title",
  "registrationUserText.nextButtonText": "register.submit",
  "registrationUserText.backButtonText": "register.sign_in",
  "successLoginText.title": "signed_in.title",
  "successLoginText.redirectedDescription": "signed_in.text",
  "logoutText.title": "logged_out.title",
  "logoutText.loginButtonText": "logged_out.sign_in",
  "footerText.help": "page.help",
  "passwordlessRegistrationText.title": "passkey.title",
  "passwordlessRegistrationText.description": "passkey.text",
  "passwordlessRegistrationText.tokenNameLabel": "passkey.name",
  "passwordlessRegistrationText.notSupported": "passkey.unsupported",
  "passwordlessRegistrationText.registerTokenButtonText": "passkey.create",
  "passwordlessRegistrationText.errorRetry": "passkey.cancelled",
  "passwordlessRegistrationDoneText.title": "passkey.done",
  "passwordlessRegistrationDoneText.description": "passkey.done_text",
};

/** Texts of the first generation, by screen and part. */
export type LoginScreens = Readonly<Record<string, Readonly<Record<string, string>>>>;

// Prefix of texts that our pages do not have.
const elsewhere = "v1.";

const ourKeys = new Set(Object.values(loginTextKeys));
const pathOfKey = new Map(Object.entries(loginTextKeys).map(([path, key]) => [key, path]));

/** Converts stored texts to screens, in linear time. */
export function toScreens(translations: Translations): LoginScreens {
  const screens = new Map<string, Map<string, string>>();
  for (const [key, text] of flattenTexts(translations)) {
    const path = key.startsWith(elsewhere) ? key.slice(elsewhere.length) : pathOfKey.get(key);
    const [screen = "", part = "", ...more] = path?.split(".") ?? [];
    if (screen === "" || part === "" || more.length > 0) continue;
    const parts = screens.get(screen) ?? new Map<string, string>();
    screens.set(screen, parts.set(part, text));
  }
  return Object.fromEntries([...screens].map(([screen, parts]) => [screen, Object.fromEntries(parts)]));
}

/**
 * Replaces in stored texts those of the first generation by the screens. An empty part is left out; other texts stay.
 */
export function withScreens(before: Translations, screens: LoginScreens): Translations {
  const given = Object.entries(screens).flatMap(([screen, parts]) =>
    Object.entries(parts).map(
      ([part, text]) => [loginTextKeys[`${screen}.${part}`] ?? `${elsewhere}${screen}.${part}`, text] as const,
    ),
  );
  return replaceTexts(before, new Map(given), (key) => ourKeys.has(key) || key.startsWith(elsewhere));
}
