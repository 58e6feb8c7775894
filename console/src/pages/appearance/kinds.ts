import { LoginPage, MessageKind } from "@doorward/api/service/appearance/v2/appearance_pb";
import { t } from "../../text/catalogue.ts";

/** Pages and messages by the word that stands for them in addresses and names of texts. */
const pages = {
  loginName: LoginPage.LOGIN_NAME,
  password: LoginPage.PASSWORD,
  code: LoginPage.CODE,
  newFactor: LoginPage.NEW_FACTOR,
  passkey: LoginPage.PASSKEY,
  accounts: LoginPage.ACCOUNTS,
  registration: LoginPage.REGISTRATION,
  emailVerification: LoginPage.EMAIL_VERIFICATION,
  passwordReset: LoginPage.PASSWORD_RESET,
  passwordChange: LoginPage.PASSWORD_CHANGE,
  consent: LoginPage.CONSENT,
  signedIn: LoginPage.SIGNED_IN,
  signedOut: LoginPage.SIGNED_OUT,
  error: LoginPage.ERROR,
  provider: LoginPage.PROVIDER,
  frame: LoginPage.FRAME,
} as const;

const messages = {
  init: MessageKind.INIT,
  passwordReset: MessageKind.PASSWORD_RESET,
  verifyEmail: MessageKind.VERIFY_EMAIL,
  verifyPhone: MessageKind.VERIFY_PHONE,
  smsCode: MessageKind.VERIFY_SMS_OTP,
  emailCode: MessageKind.VERIFY_EMAIL_OTP,
  domainClaimed: MessageKind.DOMAIN_CLAIMED,
  passkey: MessageKind.PASSKEY_REGISTRATION,
  passwordChange: MessageKind.PASSWORD_CHANGE,
  invitation: MessageKind.INVITE_USER,
} as const;

export type PageWord = keyof typeof pages;
export type MessageWord = keyof typeof messages;

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(table) as Key[];

export const pageWords = keysOf(pages);
export const messageWords = keysOf(messages);
export const numberOfPage = (word: PageWord): LoginPage => pages[word];
export const numberOfMessage = (word: MessageWord): MessageKind => messages[word];

/** Returns one of the known words: that of the address, if it is one. */
export const knownWord = <Word extends string>(words: readonly Word[], given: string | undefined, usual: Word): Word =>
  words.find((word) => word === given) ?? usual;

/** Choices of pages, in the order of a sign-in. */
export const pageOptions = () => pageWords.map((word) => [word, t(`appearance.page.${word}`)] as const);

/** Choices of messages. */
export const messageOptions = () => messageWords.map((word) => [word, t(`appearance.message.${word}`)] as const);
