import type { Transport } from "@connectrpc/connect";
import type { MessageCustomText } from "@doorward/api/service/text/v1/message_pb";
import { loadAdmin, loadManagement } from "../../api/first-version.ts";
import type { MessageWord } from "./kinds.ts";

/** The parts of a message, in the order in which a mail has them. */
const messageParts = ["subject", "preHeader", "title", "greeting", "text", "buttonText", "footerText"] as const;
export type MessagePart = (typeof messageParts)[number];
export type MessageTexts = Record<MessagePart, string>;

/** Text messages are short, and have a text only. */
export const isTextMessage = (word: MessageWord): boolean => word === "verifyPhone" || word === "smsCode";

/** Returns the parts that a kind of message has. */
export const partsOf = (word: MessageWord): readonly MessagePart[] => (isTextMessage(word) ? ["text"] : messageParts);

type MethodNames = readonly [get: string, getInherited: string, setAtInstance: string, set: string, reset: string];

// The methods of each kind in version 1. The build keeps those whose names are written out.
const methodNames: Readonly<Record<MessageWord, MethodNames>> = {
  init: [
    "getCustomInitMessageText",
    "getDefaultInitMessageText",
    "setDefaultInitMessageText",
    "setCustomInitMessageText",
    "resetCustomInitMessageTextToDefault",
  ],
  passwordReset: [
    "getCustomPasswordResetMessageText",
    "getDefaultPasswordResetMessageText",
    "setDefaultPasswordResetMessageText",
    "setCustomPasswordResetMessageText",
    "resetCustomPasswordResetMessageTextToDefault",
  ],
  verifyEmail: [
    "getCustomVerifyEmailMessageText",
    "getDefaultVerifyEmailMessageText",
    "setDefaultVerifyEmailMessageText",
    "setCustomVerifyEmailMessageText",
    "resetCustomVerifyEmailMessageTextToDefault",
  ],
  verifyPhone: [
    "getCustomVerifyPhoneMessageText",
    "getDefaultVerifyPhoneMessageText",
    "setDefaultVerifyPhoneMessageText",
    "setCustomVerifyPhoneMessageText",
    "resetCustomVerifyPhoneMessageTextToDefault",
  ],
  smsCode: [
    "getCustomVerifySMSOTPMessageText",
    "getDefaultVerifySMSOTPMessageText",
    "setDefaultVerifySMSOTPMessageText",
    "setCustomVerifySMSOTPMessageText",
    "resetCustomVerifySMSOTPMessageTextToDefault",
  ],
  emailCode: [
    "getCustomVerifyEmailOTPMessageText",
    "getDefaultVerifyEmailOTPMessageText",
    "setDefaultVerifyEmailOTPMessageText",
    "setCustomVerifyEmailOTPMessageText",
    "resetCustomVerifyEmailOTPMessageTextToDefault",
  ],
  domainClaimed: [
    "getCustomDomainClaimedMessageText",
    "getDefaultDomainClaimedMessageText",
    "setDefaultDomainClaimedMessageText",
    "setCustomDomainClaimedMessageCustomText",
    "resetCustomDomainClaimedMessageTextToDefault",
  ],
  passkey: [
    "getCustomPasswordlessRegistrationMessageText",
    "getDefaultPasswordlessRegistrationMessageText",
    "setDefaultPasswordlessRegistrationMessageText",
    "setCustomPasswordlessRegistrationMessageCustomText",
    "resetCustomPasswordlessRegistrationMessageTextToDefault",
  ],
  passwordChange: [
    "getCustomPasswordChangeMessageText",
    "getDefaultPasswordChangeMessageText",
    "setDefaultPasswordChangeMessageText",
    "setCustomPasswordChangeMessageCustomText",
    "resetCustomPasswordChangeMessageTextToDefault",
  ],
  invitation: [
    "getCustomInviteUserMessageText",
    "getDefaultInviteUserMessageText",
    "setDefaultInviteUserMessageText",
    "setCustomInviteUserMessageCustomText",
    "resetCustomInviteUserMessageTextToDefault",
  ],
};

const common = [
  "DisplayName",
  "FirstName",
  "LastName",
  "NickName",
  "UserName",
  "PreferredLoginName",
  "LastEmail",
  "LastPhone",
  "ApplicationName",
] as const;
const otp = ["OTP", "Expiry", "Domain"];
const own: Readonly<Record<MessageWord, readonly string[]>> = {
  init: ["Code"],
  passwordReset: ["Code"],
  verifyEmail: ["Code"],
  verifyPhone: ["Code"],
  smsCode: otp,
  emailCode: otp,
  domainClaimed: ["Domain", "TempUsername"],
  passkey: ["Code"],
  passwordChange: [],
  invitation: ["Code"],
};

/** Returns what texts of a kind may contain, the most important first. */
export const placeholdersOf = (word: MessageWord): readonly string[] => [...own[word], ...common];

interface Answer {
  readonly customText?: MessageCustomText | undefined;
}
type Call = (request: object) => Promise<unknown>;

/** Where the texts of a kind of message are read from and written to. */
export interface MessageAccess {
  readonly read: (language: string) => Promise<{ readonly own: MessageTexts; readonly inherited: MessageTexts }>;
  readonly save: (language: string, parts: Partial<MessageTexts>) => Promise<unknown>;
  readonly reset: (language: string) => Promise<unknown>;
}

/** Returns how texts are read and written for an organization, or for the instance. */
export function messageAccess(
  transport: Transport,
  organizationId: string | undefined,
  word: MessageWord,
): MessageAccess {
  const isInstance = organizationId === undefined;
  const [get, getInherited, setAtInstance, set, reset] = methodNames[word];
  const call = async <Answer>(name: string, request: object): Promise<Answer> => {
    const client = isInstance ? await loadAdmin(transport) : await loadManagement(transport);
    const method = (client as unknown as Readonly<Record<string, Call>>)[name];
    if (method === undefined) throw new Error(name);
    return (await method(request)) as Answer;
  };
  return {
    read: async (language) => {
      const [mine, above] = await Promise.all([
        call<Answer>(get, { language }),
        call<Answer>(getInherited, { language }),
      ]);
      return { own: toTexts(mine.customText), inherited: toTexts(above.customText) };
    },
    save: (language, parts) => call(isInstance ? setAtInstance : set, { language, ...parts }),
    reset: (language) => call(reset, { language }),
  };
}

const toTexts = (message: MessageCustomText | undefined): MessageTexts =>
  Object.fromEntries(messageParts.map((part) => [part, message?.[part] ?? ""])) as MessageTexts;
