import { hours } from "../../base/clock.ts";
import type { Tx } from "../../database/index.ts";
import { insertAnsweredReference } from "./answered-reference.store.ts";
import { markRequestAnswered } from "./auth-request.store.ts";
import { deletePushedRequest } from "./pushed-request.store.ts";

/** Longest time in which a reference can be presented: that of a request object. Pushed requests expire sooner. */
export const longestReferenceLifetime = hours(1);

/** What brought a request, when it works once. */
export interface RequestReference {
  readonly referenceHash: string;
  /** Until when another request of the same reference could be waiting for its answer. */
  readonly expiresAt: number;
}

/**
 * Step: claims the answer of a stored request; false when it is answered already or expired, or when another request of
 * the same reference was answered. The statements decide who answers.
 */
export async function markAnswered(tx: Tx, authRequestId: string): Promise<boolean> {
  const answered = await markRequestAnswered(tx, authRequestId);
  if (answered === undefined) return false;
  const { referenceHash } = answered.parameters;
  if (referenceHash === undefined) return true;
  return claimReference(tx, { referenceHash, expiresAt: answered.expiresAt + longestReferenceLifetime });
}

/**
 * Step: uses up a reference, because its request is answered (RFC 9126 §4, FAPI 2.0 Security Profile §5.3.2.2 note 3).
 * False when it was used before.
 */
export async function claimReference(tx: Tx, reference: RequestReference): Promise<boolean> {
  if (!(await insertAnsweredReference(tx, reference))) return false;
  await deletePushedRequest(tx, reference.referenceHash);
  return true;
}
