import type { Reader } from "../../database/index.ts";
import { isAdministrator } from "../administrator-access/index.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Returns what a session has seen of its user: without codes that were returned to the sign-in application, which
 * entered them itself and proves nothing with them (A14).
 */
export function withoutReturnedCodes({ otpSmsCheckedAt, otpEmailCheckedAt, ...factors }: Factors): Factors {
  if (factors.isCodeReturned === true) return factors;
  return {
    ...factors,
    ...(otpSmsCheckedAt !== undefined && { otpSmsCheckedAt }),
    ...(otpEmailCheckedAt !== undefined && { otpEmailCheckedAt }),
  };
}

/**
 * Returns what counts of a session's checks for its user as they are now: a code that its application was given does
 * not make it an administrator, whenever the user became one. Everything that counts factors goes through this.
 */
export async function provenFactors(
  reader: Reader,
  instanceId: string,
  { userId, factors }: Pick<Session, "userId" | "factors">,
): Promise<Factors> {
  if (factors.isCodeReturned !== true || userId === undefined) return factors;
  return (await isAdministrator(reader, instanceId, userId)) ? withoutReturnedCodes(factors) : factors;
}
