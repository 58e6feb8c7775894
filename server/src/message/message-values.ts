import type { Language } from "../base/language.ts";
import { shownLoginName } from "../base/names/shown-login-name.ts";
import type { Instance } from "../domain/instance/index.ts";
import { type MessagePiece, type Placeholder, parseMessage } from "../domain/message-text/index.ts";
import type { Notification, NotificationValues } from "../domain/notification/index.ts";
import type { User } from "../domain/user/index.ts";
import { withoutLinks, withoutPaths } from "./without-links.ts";

/** The value of each placeholder; empty when it has none in this message. */
export type MessageValues = Readonly<Record<Placeholder, string>>;

export interface ValueSources {
  readonly notification: Pick<Notification, "recipient" | "createdAt" | "expiresAt">;
  readonly values: NotificationValues;
  readonly language: Language;
  readonly user: User | undefined;
  readonly organizationName: string;
  readonly instance: Instance | undefined;
}

/**
 * Returns the values of a message. An unknown name is replaced by a name under which the user is known. Names that
 * users and organizations chose make no links.
 */
export function valuesOf({
  notification,
  values,
  language,
  user,
  organizationName,
  instance,
}: ValueSources): MessageValues {
  const human = user?.kind === "human" ? user : undefined;
  const loginName = user === undefined ? notification.recipient : withoutPaths(shownLoginName(user.preferredLoginName));
  const date = (at: number | undefined): string => (at === undefined ? "" : formatDate(language, at));
  return {
    UserName: withoutPaths(user?.username ?? notification.recipient),
    PreferredLoginName: loginName,
    LoginNames: loginName,
    FirstName: withoutLinks(human?.profile.givenName ?? ""),
    LastName: withoutLinks(human?.profile.familyName ?? ""),
    NickName: withoutLinks(human?.profile.nickName ?? ""),
    DisplayName: user === undefined ? notification.recipient : withoutLinks(user.displayName),
    // A user without an account yet is only known by their address.
    LastEmail: user === undefined ? notification.recipient : (human?.email.address ?? ""),
    VerifiedEmail: human?.email.isVerified === true ? human.email.address : "",
    LastPhone: human?.phone?.number ?? "",
    VerifiedPhone: human?.phone?.isVerified === true ? human.phone.number : "",
    CreationDate: date(user?.details.createdAt),
    ChangeDate: date(user?.details.changedAt),
    ApplicationName: withoutLinks(values.applicationName ?? (organizationName || (instance?.name ?? ""))),
    Code: values.code ?? "",
    OTP: values.code ?? "",
    Expiry: expiryOf(notification, language),
    OrganizationName: withoutLinks(values.organizationName ?? ""),
    Domain: values.domain ?? instance?.primaryHost ?? "",
    TempUsername: withoutPaths(values.loginName ?? ""),
  };
}

/** Fills the placeholders of a text once: a value that looks like a placeholder is not replaced. */
export const fillMessage = (words: string, values: Readonly<Record<string, string>>): string =>
  parseMessage(words)
    .map((piece) => ("words" in piece ? piece.words : valueFor(piece, values)))
    .join("");

/** Whether a text contains the code of the message. */
export const showsCode = (words: string): boolean =>
  parseMessage(words).some((piece) => "placeholder" in piece && ["Code", "OTP"].includes(piece.placeholder));

const valueFor = (
  { placeholder }: Extract<MessagePiece, { placeholder: string }>,
  values: Readonly<Record<string, string>>,
): string => (Object.hasOwn(values, placeholder) ? (values[placeholder] ?? "") : "");

const formatDate = (language: Language, at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(at);

// Returns how long the code is valid, in the largest unit that gives a whole number.
function expiryOf({ createdAt, expiresAt }: ValueSources["notification"], language: Language): string {
  if (expiresAt === null) return "";
  const minutes = Math.max(1, Math.round((expiresAt - createdAt) / 60_000));
  const [amount, unit] = minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(amount);
}
