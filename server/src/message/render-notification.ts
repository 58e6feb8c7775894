import type { Language } from "../base/language.ts";
import { shownLoginName } from "../base/names/shown-login-name.ts";
import type { Author } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import { mayPrepareFor } from "../domain/administrator-access/index.ts";
import type { FindBrand } from "../domain/branding/index.ts";
import { findInstance } from "../domain/instance/index.ts";
import {
  type BuiltInTextKind,
  type BuiltInTexts,
  chooseMessageLanguage,
  findMessageTextFor,
} from "../domain/message-text/index.ts";
import type { Notification, NotificationKind, NotificationValues } from "../domain/notification/index.ts";
import { findOrganization } from "../domain/organization/index.ts";
import { readSettings } from "../domain/settings/index.ts";
import { findUser } from "../domain/user/index.ts";
import { render } from "../html/index.ts";
import { mailBrandingOf } from "./branding.ts";
import { composeMail } from "./mail.ts";
import { drawMailText } from "./mail-text.ts";
import { mailView } from "./mail-view.ts";
import { linkOf } from "./message-link.ts";
import { fillMessage, showsCode, valuesOf } from "./message-values.ts";
import { withoutLinks, withoutPaths } from "./without-links.ts";

export interface RenderDeps {
  readonly database: Pick<Database, "read">;
  readonly builtInTexts: BuiltInTexts;
  readonly findBrand: FindBrand;
  /** Returns the public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

/** A message as it is sent. */
export interface RenderedMessage {
  readonly language: Language;
  /** One line without control characters; empty for a text message. */
  readonly subject: string;
  readonly text: string;
  /** Absent for a text message. */
  readonly html: string | undefined;
}

/** The columns of the outbox that `renderNotification` reads. */
export type RenderedRow = Pick<
  Notification,
  "kind" | "channel" | "userId" | "organizationId" | "recipient" | "language" | "createdAt" | "expiresAt"
>;

const textKinds = {
  email_verification: "verify_email",
  phone_verification: "verify_phone",
  password_reset: "password_reset",
  invitation: "invite_user",
  initialization: "init",
  otp_email: "verify_email_otp",
  otp_sms: "verify_sms_otp",
  passkey_registration: "passkey_registration",
  password_changed: "password_change",
  domain_claimed: "domain_claimed",
  sign_up: "verify_email",
  account_known: "account_known",
  appointment_offered: "appointment_offered",
  email_changed: "email_changed",
  phone_changed: "phone_changed",
  username_changed: "username_changed",
  factor_added: "factor_added",
  factor_removed: "factor_removed",
  link_added: "link_added",
  link_removed: "link_removed",
  signed_in_as: "signed_in_as",
} as const satisfies Record<NotificationKind, BuiltInTextKind>;

/**
 * Renders the message for a row of the outbox, in the language of the row and the current texts of its organization,
 * or of the instance where the user administers more than the author of those.
 * When that language is not translated or not permitted, it uses the instance's.
 *
 * @param values the result of `openNotification`; with an empty object the message has no code and no link.
 */
export async function renderNotification(
  deps: RenderDeps,
  instanceId: string,
  notification: RenderedRow,
  values: NotificationValues,
): Promise<RenderedMessage> {
  const { read } = deps.database;
  const { organizationId, userId } = notification;
  const kind = textKinds[notification.kind];
  const language = await languageOf(deps, instanceId, notification.language);
  const isGoodAuthor = (author: Author): Promise<boolean> => mayPrepareFor(read, instanceId, author, userId);
  const [words, user, organization, instance] = await Promise.all([
    findMessageTextFor(read, deps.builtInTexts, { instanceId, organizationId, isGoodAuthor }, { kind, language }),
    findUser(read, instanceId, userId),
    findOrganization(read, instanceId, organizationId),
    findInstance(read, instanceId),
  ]);
  const filled = valuesOf({
    notification,
    values,
    language,
    user,
    instance,
    organizationName: organization?.name ?? "",
  });
  const linkContext = { loginName: user?.preferredLoginName ?? "", origin: await deps.originOf(instanceId) };
  const link = linkOf(notification, values, linkContext);
  if (notification.channel === "sms") {
    const text = fillMessage(smsWords(deps.builtInTexts, kind, language, words.text), filled);
    return { language, subject: "", text: link === undefined ? text : `${text}\n${link}`, html: undefined };
  }
  // Includes the name of the organization, which is unique. Nothing else distinguishes the recipient's own account from
  // one that another person made with the same address.
  const named = user && {
    LoginName: withoutPaths(shownLoginName(user.preferredLoginName)),
    Organization: withoutLinks(organization?.name ?? ""),
  };
  const account = named && fillMessage(deps.builtInTexts.account(language), named);
  const mail = composeMail(language, words, filled, { link, account });
  const branding = mailBrandingOf(await deps.findBrand(instanceId, organizationId), linkContext.origin);
  return { language, subject: mail.subject, text: drawMailText(mail), html: render(mailView(mail, branding)) };
}

// Messages use a language that the instance permits, otherwise its default.
async function languageOf({ database }: RenderDeps, instanceId: string, tag: string): Promise<Language> {
  const language = await chooseMessageLanguage(database.read, instanceId, tag);
  const { allowedLanguages } = (await readSettings(database.read, "general", { instanceId })).settings;
  if (allowedLanguages.length === 0 || allowedLanguages.includes(language)) return language;
  return chooseMessageLanguage(database.read, instanceId, "");
}

// One kind has texts for mail that may have to be sent as a text message, which is short and has no button. Custom
// texts are used there when they contain the code.
function smsWords(builtInTexts: BuiltInTexts, kind: BuiltInTextKind, language: Language, words: string): string {
  const isForMail = words === builtInTexts.get(language, kind).text || !showsCode(words);
  return kind === "password_reset" && isForMail ? builtInTexts.passwordResetSms(language) : words;
}
