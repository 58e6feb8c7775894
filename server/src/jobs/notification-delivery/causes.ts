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
  appointment_offered: "membership.offered",
  email_changed: "user.email.set",
  phone_changed: "user.phone.set",
  username_changed: "user.username.set",
  factor_added: "user.totp.verified",
  factor_removed: "user.totp.removed",
  link_added: "user.human.externalidp.added",
  link_removed: "user.human.externalidp.removed",
  signed_in_as: "user.impersonation.started",
} as const satisfies Record<NotificationKind, EventType>;

const causes: ReadonlySet<string> = new Set([
  ...Object.values(causeOf),
  "session.created",
  "membership.updated",
  "organization.domain.added",
  "user.phone.removed",
  "user.otp_email.added",
  "user.otp_sms.added",
  "user.passkey.verified",
  "user.u2f.verified",
  "user.recovery_codes.generated",
  "user.otp_email.removed",
  "user.otp_sms.removed",
  "user.passkey.removed",
  "user.u2f.removed",
  "user.recovery_codes.removed",
  "user.human.externalidp.cascade.removed",
  // Messages that waited for a provider can be sent.
  "email_provider.activated",
  "sms_provider.activated",
]);

/** Whether an event of this type may have queued a message. */
export const causesMessages = (eventType: string): boolean => causes.has(eventType);
