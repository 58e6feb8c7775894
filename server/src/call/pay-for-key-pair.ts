import type { Budgets } from "../base/budget/budgets.ts";
import { Fault } from "../base/fault.ts";
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
  const wait = budgets.take("key_pairs_of_caller", ofCaller, weight);
  if (wait > 0) throw tooMany(wait);
  // System users belong to no organization.
  if (organizationId === "") return;
  const further = budgets.take("key_pairs_of_organization", { instanceId, now, subject: organizationId }, weight);
  if (further === 0) return;
  budgets.giveBack("key_pairs_of_caller", ofCaller, weight);
  throw tooMany(further);
}

const tooMany = (wait: number): Fault =>
  new Fault("resource_exhausted", "request.too_many", { values: { seconds: Math.ceil(wait / 1000) } });
