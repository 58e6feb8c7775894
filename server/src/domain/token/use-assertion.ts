import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { insertUsedAssertion } from "./used-assertion.store.ts";

export interface Assertion {
  readonly kind: "client_assertion" | "jwt_profile" | "dpop_proof";
  /** The issuer; for a proof of possession the thumbprint of its key. */
  readonly issuer: string;
  /** Hash that identifies this assertion; undefined for one that may be used again while it lives. */
  readonly replayKey: string | undefined;
  readonly expiresAt: number;
}

/**
 * Marks an assertion as used, when it can be identified (`jti`). Returns false when it was used before, on any node
 * (RFC 7523 §3, point 7).
 */
export async function useAssertion(
  deps: { readonly database: Database },
  call: Call,
  assertion: Assertion,
): Promise<boolean> {
  const { replayKey: assertionHash, ...rest } = assertion;
  if (assertionHash === undefined) return true;
  return deps.database.touch(call, (tx) => insertUsedAssertion(tx, { ...rest, assertionHash }));
}
