import { noteEnded, type Tx } from "../../database/index.ts";
import { type AdministratorScope, membershipAggregate } from "../administrator-access/index.ts";
import { deleteMembership, deleteMemberships, type HeldPosition } from "./membership.store.ts";

/** Step: removes a position of a user. The caller has authorized it. */
export async function removeMembership(tx: Tx, scope: AdministratorScope, userId: string): Promise<void> {
  const sequence = await deleteMembership(tx, scope, userId);
  if (sequence === undefined) return;
  noteEnded(tx, { positions: [{ ...scope, userId }] });
  tx.record({ type: "membership.deleted", ...membershipAggregate(scope, userId), sequence });
}

/** Step: removes positions. The caller has authorized it, and there are not many of them. */
export async function removeMemberships(tx: Tx, positions: readonly HeldPosition[]): Promise<void> {
  if (positions.length === 0) return;
  noteEnded(tx, { positions });
  for (const { level, resourceId, userId, organizationId, sequence } of await deleteMemberships(tx, positions)) {
    const ownerId = level === "instance" ? tx.instanceId : organizationId;
    const aggregate = membershipAggregate({ level, resourceId, ownerId }, userId);
    tx.record({ type: "membership.deleted", ...aggregate, sequence });
  }
}
