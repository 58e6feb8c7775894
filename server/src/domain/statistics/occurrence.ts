import { hours, type Instant } from "../../base/clock.ts";
import type { EventType, FeedEvent } from "../../event/index.ts";
import type { StatisticName } from "./statistic.ts";

/** What an event says that is counted. */
export interface Occurrence {
  readonly name?: StatisticName | undefined;
  /** The organization that it is counted for; absent where it is that of the user. */
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether the user was there in person, or an application that they use. */
  readonly isActivity: boolean;
}

type Facts = Pick<FeedEvent, "instanceId" | "ownerId" | "payload" | "createdAt" | "editorUserId">;

/** Returns what is counted of an event; undefined for most kinds of events. */
export function occurrenceOf(event: FeedEvent): Occurrence | undefined {
  return Object.hasOwn(readers, event.type) ? readers[event.type as EventType]?.(event) : undefined;
}

const named =
  (name: StatisticName) =>
  (event: Facts): Occurrence => ({ name, organizationId: ownerOf(event), isActivity: false });

const tokens =
  (name: StatisticName) =>
  ({ payload }: Facts): Occurrence => ({ name, userId: textOf(payload["userId"]), isActivity: true });

const readers: Partial<Record<EventType, (event: Facts) => Occurrence | undefined>> = {
  "session.created": signIn,
  "session.updated": signIn,
  "user.password_check.failed": named("sign_in_failure.password"),
  "user.passkey_check.failed": named("sign_in_failure.passkey"),
  "idpintent.failed": named("sign_in_failure.identity_provider"),
  "user.totp_check.failed": named("sign_in_failure.second_factor"),
  "user.otp_sms_check.failed": named("sign_in_failure.second_factor"),
  "user.otp_email_check.failed": named("sign_in_failure.second_factor"),
  "user.u2f_check.failed": named("sign_in_failure.second_factor"),
  "user.recovery_codes_check.failed": named("sign_in_failure.second_factor"),
  "user.created": (event) =>
    event.payload["kind"] === "human"
      ? named(event.editorUserId === undefined ? "user.registered" : "user.created")(event)
      : undefined,
  "user.deleted": named("user.deleted"),
  "token_family.created": tokens("token.issued"),
  "token_family.refreshed": tokens("token.refreshed"),
  "saml_assertion.issued": (event) => ({
    ...named("token.assertion")(event),
    userId: textOf(event.payload["userId"]),
    isActivity: true,
  }),
  "notification.sent": message("sent"),
  "notification.failed": message("failed"),
};

function message(end: "sent" | "failed") {
  return (event: Facts): Occurrence =>
    named(`message.${event.payload["channel"] === "sms" ? "sms" : "email"}_${end}`)(event);
}

// A sign-in may take half an hour, and the answer of a provider waits for as long.
const longestSignIn = hours(1);

/**
 * Returns the sign-in that a session records. Its event has every check of the session, also those of before, and only
 * the end of a sign-in counts: the check that it began with is new, or the hosted login named the user at this moment,
 * after a further check.
 */
function signIn(event: Facts): Occurrence | undefined {
  const { payload, createdAt } = event;
  const first = firstFactors(payload)
    .filter(({ at }) => at > createdAt - longestSignIn)
    .sort((one, other) => one.at - other.at)[0];
  if (first === undefined) return undefined;
  const isNamedNow = payload["userCheckedAt"] === createdAt;
  const isProvenNow = furtherFactors.some((factor) => payload[factor] === createdAt);
  const isFinal = isNamedNow && (isProvenNow || first.name === "sign_in.identity_provider");
  if (first.at !== createdAt && !isFinal) return undefined;
  return { name: first.name, organizationId: ownerOf(event), userId: textOf(payload["userId"]), isActivity: true };
}

const furtherFactors = [
  "totpCheckedAt",
  "otpSmsCheckedAt",
  "otpEmailCheckedAt",
  "recoveryCodeCheckedAt",
  "webAuthNCheckedAt",
];

interface FirstFactor {
  readonly name: StatisticName;
  readonly at: Instant;
}

// A key that only tested presence is a second factor.
function firstFactors({ passwordCheckedAt, intentCheckedAt, webAuthNCheckedAt, isUserVerified }: FeedEvent["payload"]) {
  const factors: readonly (readonly [StatisticName, unknown])[] = [
    ["sign_in.password", passwordCheckedAt],
    ["sign_in.identity_provider", intentCheckedAt],
    ["sign_in.passkey", isUserVerified === true ? webAuthNCheckedAt : undefined],
  ];
  return factors.flatMap(([name, at]): FirstFactor[] => (typeof at === "number" ? [{ name, at }] : []));
}

// What belongs to no organization is owned by the instance.
const ownerOf = ({ ownerId, instanceId }: Facts): string | undefined => (ownerId === instanceId ? undefined : ownerId);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
