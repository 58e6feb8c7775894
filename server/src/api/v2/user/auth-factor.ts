import type { Factor } from "../../../domain/factor/index.ts";
import type { SecondFactor } from "../../../domain/sign-in-method/index.ts";

type Empty = Record<never, never>;

interface AuthFactorMessage<State> {
  readonly state: State;
  readonly blocked?: boolean;
  readonly type:
    | { readonly case: "otp" | "otpSms" | "otpEmail"; readonly value: Empty }
    | { readonly case: "u2f"; readonly value: { readonly id: string; readonly name: string } };
}

/**
 * Converts a second factor to the message AuthFactor. Both generations have the same fields; only the types of their
 * states differ.
 */
export function toAuthFactor<State>(
  factor: SecondFactor,
  states: Readonly<Record<Factor["state"], State>>,
): AuthFactorMessage<State> {
  const state = states[factor.state];
  switch (factor.kind) {
    case "totp":
      return { state, blocked: factor.isBlocked, type: { case: "otp", value: {} } };
    case "otp_sms":
      return { state, blocked: factor.isBlocked, type: { case: "otpSms", value: {} } };
    case "otp_email":
      return { state, blocked: factor.isBlocked, type: { case: "otpEmail", value: {} } };
    case "u2f":
      return { state, type: { case: "u2f", value: { id: factor.credentialId, name: factor.name } } };
    default:
      return factor satisfies never;
  }
}
