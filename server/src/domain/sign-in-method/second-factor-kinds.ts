import { type FactorKind, isSecondFactor } from "../factor/index.ts";
import type { LoginSettings, SecondFactor } from "../settings/index.ts";

/** Second factors as the login asks for them, strongest first. `key`: a security key, or a passkey. */
export const secondFactorKinds = ["key", "totp", "otp_sms", "otp_email", "recovery_codes"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** The settings' name for each. */
const allowedBy = {
  key: "u2f",
  totp: "totp",
  otp_sms: "otp_sms",
  otp_email: "otp_email",
  recovery_codes: "recovery_codes",
} as const satisfies Record<SecondFactorKind, SecondFactor>;

/** Returns the second factors that login settings allow, strongest first. */
export const allowedSecondFactors = ({ secondFactors }: Pick<LoginSettings, "secondFactors">): SecondFactorKind[] =>
  secondFactorKinds.filter((kind) => secondFactors.includes(allowedBy[kind]));

/**
 * Whether any key of a user is asked for after a first factor: beside a second factor, a key that a message opened adds
 * nothing to a first one.
 */
export const takesAnyKey = (ready: readonly FactorKind[]): boolean => !ready.some(isSecondFactor);
