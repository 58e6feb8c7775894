import type { Budgets } from "../base/budget/budgets.ts";
import { spend, tooManyRequests } from "../base/budget/spend.ts";
import { type KeyPairKind, weightOf } from "../base/key-pair.ts";
import { requireCaller } from "./authorize.ts";
import type { Call } from "./call.ts";

/**
 * Takes a key pair from the budgets of the caller and of their organization, once everything that a read can refuse is
 * known: what is refused costs nothing. Throws the Fault `request.too_many`.
 */
export function payForKeyPair({ budgets }: { readonly budgets: Budgets }, call: Call, kind: KeyPairKind): void {
  const { instanceId, now } = call;
  const { userId, organizationId } = requireCaller(call);
  const ofCaller = { instanceId, now, subject: userId };
  const weight = weightOf(kind);
  spend(budgets, "key_pairs_of_caller", ofCaller, weight);
  // System users belong to no organization.
  if (organizationId === "") return;
  const further = budgets.take("key_pairs_of_organization", { instanceId, now, subject: organizationId }, weight);
  if (further === 0) return;
  budgets.giveBack("key_pairs_of_caller", ofCaller, weight);
  throw tooManyRequests(further);
}
