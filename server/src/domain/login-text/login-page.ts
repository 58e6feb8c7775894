import { loginTextKeys } from "./custom-login-text.ts";

/** A page of the login, with the texts that belong to it. */
export type LoginPage =
  | "login_name"
  | "password"
  | "code"
  | "new_factor"
  | "passkey"
  | "accounts"
  | "registration"
  | "email_verification"
  | "password_reset"
  | "password_change"
  | "consent"
  | "signed_in"
  | "signed_out"
  | "error"
  | "provider"
  | "frame";

/** The beginnings of the keys of each page's texts. */
const areas: Readonly<Record<LoginPage, readonly string[]>> = {
  login_name: ["login_name"],
  password: ["password"],
  code: ["second_factor", "methods"],
  new_factor: ["add_factor", "totp", "recovery"],
  passkey: ["passkey", "key"],
  accounts: ["accounts", "account.change", "continue"],
  registration: ["register"],
  email_verification: ["verify_email", "code"],
  password_reset: ["password_code", "forgotten"],
  password_change: ["password_change"],
  consent: ["consent", "decision", "scope", "device", "device_confirm", "device_done"],
  signed_in: ["signed_in"],
  signed_out: ["logout", "logged_out"],
  error: ["error"],
  provider: ["external", "directory", "provider_form", "organization"],
  frame: ["page", "form", "client"],
};

/** All pages, in the order of a sign-in. */
export const loginPages = Object.keys(areas) as readonly LoginPage[];

/** Returns the page that a text belongs to; undefined for a text of none. */
export const pageOfText = (key: string): LoginPage | undefined =>
  loginPages.find((page) => areas[page].some((area) => key === area || key.startsWith(`${area}.`)));

const keysOfOrganizations: ReadonlySet<string> = new Set(Object.values(loginTextKeys));

/**
 * Whether a level may set a text one by one. Organizations set those that the first generation of the API lets them
 * set: the words of pages on which users decide about their accounts are not among them.
 */
export const maySetText = (organizationId: string, key: string): boolean =>
  pageOfText(key) !== undefined && (organizationId === "" || keysOfOrganizations.has(key));
