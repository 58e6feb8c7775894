import type { NotificationKind } from "../../domain/notification/index.ts";
import type { EventType } from "../../event/index.ts";

/** The event in whose transaction a message of each kind is queued. */
export const causeOf = {
  email_verification: "user.email_verification_code.added",
  phone_verification: "user.phone_verification_code.added",
  password_reset: "user.password_reset_code.added",
  invitation: "user.invitation_code.added",
  initialization: "user.initialization_code.added",
  otp_email: "session.updated",
  otp_sms: "session.updated",
  passkey_registration: "user.passkey_registration_code.added",
  password_changed: "user.password.set",
  domain_claimed: "organization.domain.verified",
  sign_up: "sign_up.requested",
  account_known: "sign_up.requested",
} as const satisfies Record<NotificationKind, EventType>;

const causes: ReadonlySet<string> = new Set([
  ...Object.values(causeOf),
  "session.created",
  "organization.domain.added",
  // Messages that waited for a provider can be sent.
  "email_provider.activated",
  "sms_provider.activated",
]);

/** Whether an event of this type may have queued a message. */
export const causesMessages = (eventType: string): boolean => causes.has(eventType);
