import {
  MessageKind,
  type PreviewColors,
  type PreviewLook,
  LoginPage as WirePage,
} from "@doorward/api/service/appearance/v2/appearance_pb";
import { ThemeMode } from "@doorward/api/service/settings/v2/branding_pb";
import type { LoginPage } from "../../../domain/login-text/index.ts";
import type { MessageTextKind } from "../../../domain/message-text/index.ts";
import type { Branding, Theme } from "../../../domain/settings/index.ts";

const pages: Readonly<Record<LoginPage, WirePage>> = {
  login_name: WirePage.LOGIN_NAME,
  password: WirePage.PASSWORD,
  code: WirePage.CODE,
  new_factor: WirePage.NEW_FACTOR,
  passkey: WirePage.PASSKEY,
  accounts: WirePage.ACCOUNTS,
  registration: WirePage.REGISTRATION,
  email_verification: WirePage.EMAIL_VERIFICATION,
  password_reset: WirePage.PASSWORD_RESET,
  password_change: WirePage.PASSWORD_CHANGE,
  consent: WirePage.CONSENT,
  signed_in: WirePage.SIGNED_IN,
  signed_out: WirePage.SIGNED_OUT,
  error: WirePage.ERROR,
  provider: WirePage.PROVIDER,
  frame: WirePage.FRAME,
};

const kinds: Readonly<Record<MessageTextKind, MessageKind>> = {
  init: MessageKind.INIT,
  password_reset: MessageKind.PASSWORD_RESET,
  verify_email: MessageKind.VERIFY_EMAIL,
  verify_phone: MessageKind.VERIFY_PHONE,
  verify_sms_otp: MessageKind.VERIFY_SMS_OTP,
  verify_email_otp: MessageKind.VERIFY_EMAIL_OTP,
  domain_claimed: MessageKind.DOMAIN_CLAIMED,
  passkey_registration: MessageKind.PASSKEY_REGISTRATION,
  password_change: MessageKind.PASSWORD_CHANGE,
  invite_user: MessageKind.INVITE_USER,
};

const keyOf = <Key extends string, Value>(table: Readonly<Record<Key, Value>>, value: Value): Key | undefined =>
  (Object.keys(table) as Key[]).find((key) => table[key] === value);

/** Returns the number of a page. */
export const fromPage = (page: LoginPage): WirePage => pages[page];

/** Returns the page of a number; undefined for none. */
export const toPage = (page: WirePage): LoginPage | undefined => keyOf(pages, page);

/** Returns the kind of message of a number, of which the contract refuses those that there are not. */
export const toKind = (kind: MessageKind): MessageTextKind => keyOf(kinds, kind) ?? "init";

const modes: Readonly<Record<ThemeMode, Branding["themeMode"]>> = {
  [ThemeMode.UNSPECIFIED]: "auto",
  [ThemeMode.AUTO]: "auto",
  [ThemeMode.LIGHT]: "light",
  [ThemeMode.DARK]: "dark",
};

/** Returns colors and choices of a look. */
export const toLook = ({ light, dark, themeMode, ...choices }: PreviewLook): Omit<Branding, "assets"> => ({
  lightTheme: toTheme(light),
  darkTheme: toTheme(dark),
  themeMode: modes[themeMode],
  hideLoginNameSuffix: choices.hideLoginNameSuffix,
  disableWatermark: choices.disableWatermark,
});

const toTheme = (colors: PreviewColors | undefined): Theme => ({
  primaryColor: colors?.primaryColor ?? "",
  backgroundColor: colors?.backgroundColor ?? "",
  warnColor: colors?.warnColor ?? "",
  fontColor: colors?.fontColor ?? "",
});
