import type { Tx } from "../../database/index.ts";
import { type AdministratorScope, membershipAggregate } from "../administrator-access/index.ts";
import { deleteMembership } from "./membership.store.ts";

/** Step: removes a position of a user. The caller has authorized it. */
export async function removeMembership(tx: Tx, scope: AdministratorScope, userId: string): Promise<void> {
  const sequence = await deleteMembership(tx, scope, userId);
  if (sequence === undefined) return;
  tx.record({ type: "membership.deleted", ...membershipAggregate(scope, userId), sequence });
}
