import type { Call } from "../../call/index.ts";
import { performAll, type Tx } from "../../database/index.ts";
import { type FamiliesOf, holdLiveFamilyIds, markFamiliesRevoked } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** Why a family was revoked; part of its last event. */
export type RevocationReason =
  | "revoked_by_client"
  | "code_reused"
  /** The response with the first tokens could not be made. */
  | "undelivered"
  | "refresh_token_reused"
  | "session_terminated"
  | "revoked_by_user"
  | "user_appointed"
  | "account_begun"
  | "user_deleted"
  | "user_not_active"
  | "client_changed"
  | "client_deleted";

/** Step: revokes everything issued to or for users, to them to act for others, from sessions, or to a client. */
export function revokeFamilies(tx: Tx, of: FamiliesOf, reason: RevocationReason): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => holdLiveFamilyIds(own, of, limit),
    perform: (own, familyIds) => revokeFamiliesById(own, familyIds, reason),
    isOfCaller: isFamilyOfCaller(tx.call),
  });
}

/** Returns what tells whether the token that was presented is of a family. */
export const isFamilyOfCaller =
  ({ caller }: Call) =>
  (familyId: string): boolean =>
    familyId === caller?.token?.familyId;

/** Step: revokes everything that was issued from one authorization. Idempotent. */
export function revokeFamily(tx: Tx, familyId: string, reason: RevocationReason): Promise<void> {
  return revokeFamiliesById(tx, [familyId], reason);
}

/** Step: revokes some families, unless they are revoked. */
export async function revokeFamiliesById(
  tx: Tx,
  familyIds: readonly string[],
  reason: RevocationReason,
): Promise<void> {
  const revoked = await markFamiliesRevoked(tx, familyIds);
  for (const { familyId, sequence, clientId, userId } of revoked.toSorted((a, b) =>
    a.familyId < b.familyId ? -1 : 1,
  )) {
    tx.record({
      type: "token_family.revoked",
      ...familyAggregate({ familyId, ownerId: tx.instanceId }),
      sequence,
      payload: { clientId, userId, reason },
    });
  }
}
