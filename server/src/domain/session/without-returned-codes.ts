import type { Factors } from "./session.ts";

/**
 * Returns what a session has seen of its user: without codes that were returned to the sign-in application, which entered
 * them itself and proves nothing with them (A14).
 */
export function withoutReturnedCodes({ otpSmsCheckedAt, otpEmailCheckedAt, ...factors }: Factors): Factors {
  if (factors.isCodeReturned === true) return factors;
  return {
    ...factors,
    ...(otpSmsCheckedAt !== undefined && { otpSmsCheckedAt }),
    ...(otpEmailCheckedAt !== undefined && { otpEmailCheckedAt }),
  };
}
