import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { membershipAggregate } from "../administrator-access/index.ts";
import type { AuthorizeDeps } from "../user/index.ts";
import { replaceRoles } from "./given-role.store.ts";
import { holdOffer, type OfferAnswer } from "./hold-offer.ts";
import { deleteMembership } from "./membership.store.ts";

/** Declines a position that another organization offered. What the user accepted there before stays. */
export function declineAppointment(
  { database, mayActFor }: Pick<AuthorizeDeps, "mayActFor"> & { readonly database: Database },
  call: Call,
  answer: OfferAnswer,
): Promise<{ readonly changedAt: number }> {
  return database.change(call, async (tx) => {
    const { scope, membership } = await holdOffer(tx, { mayActFor }, answer);
    const { userId } = answer;
    const { roles, pendingRoles, details } = membership;
    await (roles.length === 0
      ? deleteMembership(tx, scope, userId)
      : replaceRoles(tx, scope, { userId, roles, pendingRoles: [] }));
    tx.record({
      type: "membership.declined",
      ...membershipAggregate(scope, userId),
      sequence: details.sequence + 1,
      payload: { level: scope.level, resourceId: scope.resourceId, userId, roles: pendingRoles },
    });
    return { changedAt: tx.now };
  });
}
