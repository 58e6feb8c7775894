import { blockOf } from "../../base/budget/network-of.ts";
import { payFor } from "../../base/budget/payer.ts";
import type { Call } from "../../call/index.ts";

/**
 * Hashes or checks a password on the account of an organization in the instance, and of the source there. The empty id
 * stands for a name that no user has.
 */
export const payForHash = <Result>(
  { instanceId, source = "" }: Call,
  organizationId: string,
  work: () => Result,
): Result => payFor([instanceId, organizationId, blockOf(source), source], work);
