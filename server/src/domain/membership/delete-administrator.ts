import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeMembership, checkAppointment } from "./authorize-membership.ts";
import { findMembership } from "./membership.store.ts";
import type { AdministeredResource } from "./membership.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";
import { removeMembership } from "./remove-membership.ts";

/** Removes an administrator. Removing a user who is not an administrator is accepted: then nothing is returned. */
export function deleteAdministrator(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource },
): Promise<{ readonly deletedAt?: number; readonly details?: Details }> {
  return deps.database.change(call, async (tx) => {
    const appointer = await authorizeMembership(tx, call, input.resource, "delete");
    const membership = await findMembership(tx, appointer.place, input.userId);
    if (membership === undefined) return {};
    checkAppointment(appointer, membership.roles);
    if (membership.roles.includes("IAM_OWNER")) await refuseLastOwner(tx, [input.userId]);
    await removeMembership(tx, appointer.place, input.userId);
    const { details } = membership;
    return { deletedAt: tx.now, details: { ...details, sequence: details.sequence + 1, changedAt: tx.now } };
  });
}
