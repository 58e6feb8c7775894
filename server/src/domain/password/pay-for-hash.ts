import { blockOf } from "../../base/budget/network-of.ts";
import { payFor } from "../../base/budget/payer.ts";
import { type Call, guessSourceOf } from "../../call/index.ts";

/**
 * Hashes or checks a password on the account of an organization in the instance, and of the source there: where a
 * custom login names the address of its user, that one, because all of its users come from the login's own address. The
 * empty id stands for no organization.
 */
export function payForHash<Result>(call: Call, organizationId: string, work: () => Result): Result {
  const source = guessSourceOf(call) ?? call.source ?? "";
  return payFor([call.instanceId, organizationId, blockOf(source), source], work);
}
