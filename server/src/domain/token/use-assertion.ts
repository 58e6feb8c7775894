import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { insertUsedAssertion } from "./used-assertion.store.ts";

export interface Assertion {
  readonly kind: "client_assertion" | "jwt_profile" | "dpop_proof";
  /** The issuer; for a proof of possession the thumbprint of its key. */
  readonly issuer: string;
  /** Hash that identifies this assertion. */
  readonly replayKey: string;
  readonly expiresAt: number;
}

/** Marks an assertion as used. Returns false when it was used before, on any node (RFC 7523 §3, point 7). */
export async function useAssertion(
  deps: { readonly database: Database },
  call: Call,
  assertion: Assertion,
): Promise<boolean> {
  const { replayKey: assertionHash, ...rest } = assertion;
  return deps.database.touch(call, (tx) => insertUsedAssertion(tx, { ...rest, assertionHash }));
}
