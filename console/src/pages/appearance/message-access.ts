import { createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { MessageCustomText } from "@doorward/api/service/text/v1/message_pb";
import type { MessageWord } from "./kinds.ts";

/** The parts of a message, in the order in which a mail has them. */
const messageParts = ["subject", "preHeader", "title", "greeting", "text", "buttonText", "footerText"] as const;
export type MessagePart = (typeof messageParts)[number];
export type MessageTexts = Record<MessagePart, string>;

/** Text messages are short, and have a text only. */
export const isTextMessage = (word: MessageWord): boolean => word === "verifyPhone" || word === "smsCode";

/** Returns the parts that a kind of message has. */
export const partsOf = (word: MessageWord): readonly MessagePart[] => (isTextMessage(word) ? ["text"] : messageParts);

// What version 1 calls the methods of each kind.
const methodNames = {
  init: "Init",
  passwordReset: "PasswordReset",
  verifyEmail: "VerifyEmail",
  verifyPhone: "VerifyPhone",
  smsCode: "VerifySMSOTP",
  emailCode: "VerifyEmailOTP",
  domainClaimed: "DomainClaimed",
  passkey: "PasswordlessRegistration",
  passwordChange: "PasswordChange",
  invitation: "InviteUser",
} as const satisfies Record<MessageWord, string>;

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

type Answer = Promise<{ readonly customText?: MessageCustomText | undefined }>;
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
  const client = (isInstance
    ? createClient(AdminService, transport)
    : createClient(ManagementService, transport)) as unknown as Readonly<Record<string, Call>>;
  const kind = methodNames[word];
  // Four methods of organizations have a longer name.
  const call = (...names: readonly string[]): Call => {
    const name = names.find((each) => each in client);
    return (name && client[name]) || (() => Promise.reject(new Error(names[0])));
  };
  const get = call(`getCustom${kind}MessageText`);
  const getInherited = call(`getDefault${kind}MessageText`);
  const set = isInstance
    ? call(`setDefault${kind}MessageText`)
    : call(`setCustom${kind}MessageText`, `setCustom${kind}MessageCustomText`);
  const reset = call(`resetCustom${kind}MessageTextToDefault`);
  return {
    read: async (language) => {
      const [mine, above] = await Promise.all([get({ language }) as Answer, getInherited({ language }) as Answer]);
      return { own: toTexts(mine.customText), inherited: toTexts(above.customText) };
    },
    save: (language, parts) => set({ language, ...parts }),
    reset: (language) => reset({ language }),
  };
}

const toTexts = (message: MessageCustomText | undefined): MessageTexts =>
  Object.fromEntries(messageParts.map((part) => [part, message?.[part] ?? ""])) as MessageTexts;
