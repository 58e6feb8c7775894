import type { Language } from "../base/language.ts";
import type { Reader } from "../database/index.ts";
import type { OwnedBrand } from "../domain/branding/index.ts";
import { findInstance } from "../domain/instance/index.ts";
import {
  type BuiltInTexts,
  findMessageText,
  type MessageText,
  type MessageTextKind,
  messageTextParts,
  type OwnMessageText,
} from "../domain/message-text/index.ts";
import { hostedTemplate, type NotificationKind } from "../domain/notification/index.ts";
import { findOrganization } from "../domain/organization/index.ts";
import { render } from "../html/index.ts";
import { mailBrandingOf } from "./branding.ts";
import { composeMail } from "./mail.ts";
import { drawMailText } from "./mail-text.ts";
import { mailView } from "./mail-view.ts";
import { fillMessage, type MessageValues } from "./message-values.ts";
import type { RenderedMessage } from "./render-notification.ts";
import { withoutLinks } from "./without-links.ts";

export interface SampleDeps {
  readonly database: { readonly read: Reader };
  readonly builtInTexts: BuiltInTexts;
  /** Returns the public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

export interface Sample {
  readonly kind: MessageTextKind;
  readonly language: Language;
  /** Empty for the instance. */
  readonly organizationId: string;
  /** What the level would set itself; absent for what it has set. */
  readonly parts?: OwnMessageText | undefined;
  readonly brand: OwnedBrand;
  /** Not to be clicked. */
  readonly isStill?: boolean;
}

const textMessages: ReadonlySet<MessageTextKind> = new Set(["verify_phone", "verify_sms_otp"]);

const kinds = {
  init: "initialization",
  password_reset: "password_reset",
  verify_email: "email_verification",
  verify_phone: "phone_verification",
  verify_sms_otp: "otp_sms",
  verify_email_otp: "otp_email",
  domain_claimed: "domain_claimed",
  passkey_registration: "passkey_registration",
  password_change: "password_changed",
  invite_user: "invitation",
} as const satisfies Record<MessageTextKind, NotificationKind>;

/** Renders a message with invented data, in the texts that its recipient would get. No code in it is of any use. */
export async function renderSample(deps: SampleDeps, instanceId: string, sample: Sample): Promise<RenderedMessage> {
  const { kind, language, organizationId, brand, isStill = false } = sample;
  const { read } = deps.database;
  const [words, organization, instance, origin] = await Promise.all([
    wordsOf(deps, instanceId, sample),
    organizationId === "" ? undefined : findOrganization(read, instanceId, organizationId),
    findInstance(read, instanceId),
    deps.originOf(instanceId),
  ]);
  const domain = kind === "domain_claimed" ? "example.com" : (instance?.primaryHost ?? "");
  const values = sampleValues(language, { domain, organizationName: organization?.name ?? instance?.name ?? "" });
  if (textMessages.has(kind)) {
    return { language, subject: "", text: fillMessage(words.text, values), html: undefined };
  }
  const hasLink = hostedTemplate(origin, { kind: kinds[kind], channel: "email" }) !== undefined;
  const account = fillMessage(deps.builtInTexts.account(language), {
    LoginName: values.PreferredLoginName,
    Organization: values.ApplicationName,
  });
  const mail = composeMail(language, words, values, { link: hasLink ? `${origin}/ui/login` : undefined, account });
  const view = mailView(mail, mailBrandingOf(brand, origin), { isStill });
  return { language, subject: mail.subject, text: drawMailText(mail), html: render(view) };
}

async function wordsOf(
  { database, builtInTexts }: SampleDeps,
  instanceId: string,
  { kind, language, organizationId, parts }: Sample,
): Promise<MessageText> {
  const message = { kind, language };
  const set = await findMessageText(database.read, builtInTexts, { instanceId, organizationId }, message);
  if (parts === undefined) return set.text;
  const inherited =
    organizationId === ""
      ? builtInTexts.get(language, kind)
      : (await findMessageText(database.read, builtInTexts, { instanceId }, message)).text;
  const given = messageTextParts.filter((part) => (parts[part] ?? "") !== "");
  return { ...inherited, ...Object.fromEntries(given.map((part) => [part, parts[part]])) };
}

const sampleValues = (
  language: Language,
  { domain, organizationName }: { readonly domain: string; readonly organizationName: string },
): MessageValues => {
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(Date.UTC(2026, 0, 15));
  const expiry = new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" }).format(5);
  return {
    UserName: "ada",
    PreferredLoginName: "ada@example.com",
    LoginNames: "ada@example.com",
    FirstName: "Ada",
    LastName: "Lovelace",
    NickName: "Ada",
    DisplayName: "Ada Lovelace",
    LastEmail: "ada@example.com",
    VerifiedEmail: "ada@example.com",
    LastPhone: "+41791234567",
    VerifiedPhone: "+41791234567",
    CreationDate: date,
    ChangeDate: date,
    ApplicationName: withoutLinks(organizationName),
    Code: "ABC-123",
    OTP: "123456",
    Expiry: expiry,
    OrganizationName: withoutLinks(organizationName),
    Domain: domain,
    TempUsername: "ada@example.com",
  };
};
