import type { EventType } from "../../../event/index.ts";
import type { IconName, PageContext, PageKey } from "../../../html/index.ts";

/** What happened, as a sentence for the user. */
export interface Sentence {
  readonly words: string;
  readonly icon: IconName;
  /** Whether it is a successful sign-in, whose session may tell the device. */
  readonly isSignIn: boolean;
  /** Whether it may be the work of a thief. */
  readonly isSensitive: boolean;
}

type Meaning = PageKey & `account.${"activity" | "news"}.${string}`;
type Told = readonly [meaning: Meaning, method?: PageKey];

const meanings: Readonly<Partial<Record<EventType, Told>>> = {
  "user.created": ["account.activity.created"],
  "user.profile.set": ["account.activity.profile_set"],
  "user.human.avatar.added": ["account.news.picture_saved"],
  "user.human.avatar.removed": ["account.news.picture_removed"],
  "user.username.set": ["account.activity.username_set"],
  "user.email.set": ["account.activity.email_set"],
  "user.email.verified": ["account.news.email_verified"],
  "user.phone.set": ["account.activity.phone_set"],
  "user.phone.verified": ["account.news.phone_verified"],
  "user.phone.removed": ["account.news.phone_removed"],
  "user.password.set": ["account.activity.password_set"],
  "user.password_reset_code.added": ["account.activity.reset_requested"],
  "user.password_check.succeeded": ["account.activity.signed_password"],
  "user.password_check.failed": ["account.activity.refused_password"],
  "user.password.blocked": ["account.activity.blocked", "password.label"],
  "user.passkey_check.succeeded": ["account.activity.signed_passkey"],
  "user.human.externallogin.check.succeeded": ["account.activity.signed_linked"],
  "user.human.externalidp.added": ["account.activity.method_added", "account.links"],
  "user.human.externalidp.removed": ["account.activity.method_removed", "account.links"],
  "user.human.externalidp.cascade.removed": ["account.activity.method_removed", "account.links"],
  "user.impersonation.started": ["account.activity.impersonated"],
  ...meaningsOf("passkey", "account.passkey", "user.passkey.verified"),
  ...meaningsOf("u2f", "account.security_key", "user.u2f.verified"),
  ...meaningsOf("totp", "account.factor.totp", "user.totp.verified"),
  ...meaningsOf("otp_email", "account.factor.otp_email", "user.otp_email.added"),
  ...meaningsOf("otp_sms", "account.factor.otp_sms", "user.otp_sms.added"),
  ...meaningsOf("recovery_codes", "account.factor.recovery_codes", "user.recovery_codes.generated"),
};

// Begun, and nothing yet: it is told once it was confirmed.
const unfinished: readonly string[] = [
  "user.passkey.added",
  "user.u2f.added",
  "user.totp.added",
] satisfies readonly EventType[];

/** Whether an event is told at all. */
export const isTold = (type: string): boolean => !unfinished.includes(type);

/** Returns the sentence of an event; undefined when it has none, and its name has to do. */
export function sentenceOf(context: PageContext, type: string): Sentence | undefined {
  const told: Told | undefined = Object.hasOwn(meanings, type) ? meanings[type as EventType] : undefined;
  if (told === undefined) return undefined;
  const [meaning, method] = told;
  const isSignIn = meaning.startsWith("account.activity.signed_");
  const isRefused = meaning.startsWith("account.activity.refused") || meaning === "account.activity.blocked";
  const isChange = /\.(?:method_|password_set|email_set|phone_set|username_set)/.test(meaning);
  return {
    words: context.say(meaning, method === undefined ? {} : { method: context.say(method) }),
    icon: isRefused ? "warning" : isSignIn ? "door" : isChange ? "key" : "person",
    isSignIn,
    isSensitive: isSignIn || isChange,
  };
}

type Method = "passkey" | "u2f" | "totp" | "otp_email" | "otp_sms" | "recovery_codes";

function meaningsOf(of: Method, method: PageKey, added: EventType): Partial<Record<EventType, Told>> {
  return {
    [added]: ["account.activity.method_added", method],
    [`user.${of}.removed`]: ["account.activity.method_removed", method],
    [`user.${of}.blocked`]: ["account.activity.blocked", method],
    [`user.${of}_check.failed`]: ["account.activity.refused", method],
    ...(of !== "passkey" && { [`user.${of}_check.succeeded`]: ["account.activity.signed_factor", method] as const }),
  };
}
