import { formatAuthorOfSession, isLoginClient, preparationsBy } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findAuthorOfCredential, isSelf } from "../user/index.ts";
import type { ExternalAccount } from "./identity-link.ts";

/**
 * Whether the user has just read, with its token, an attempt in which the account at a provider signed in. Consumes the
 * proof. Implemented by a later module.
 */
export type TakeProof = (
  tx: Tx,
  proof: ExternalAccount & { readonly userId: string; readonly speaker: string },
) => Promise<boolean>;

export interface ProofDeps {
  readonly takeProof: TakeProof;
}

/**
 * Step: returns whether the caller has proof that an account belongs to the user whom they link it to, and consumes the
 * proof. Users prove their own accounts (CVE-2026-105207), and sign-in applications those of the users who sign in
 * there.
 */
export async function proveAccount(
  tx: Tx,
  { takeProof }: ProofDeps,
  userId: string,
  account: ExternalAccount & { readonly speaker: string },
): Promise<boolean> {
  const { caller } = tx.call;
  if (caller === undefined || !(isSelf(tx.call, userId) || isLoginClient(caller.access))) return false;
  return takeProof(tx, { ...account, userId: caller.userId });
}

/**
 * Step: returns the author of an account that the caller proved, as it is stored; empty where the user alone is. A
 * sign-in application that may write users as well could have proven an account of its own.
 */
export async function findAuthorOfProof(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<string> {
  return formatAuthorOfSession(preparationsBy(await findAuthorOfCredential(tx, user)));
}
