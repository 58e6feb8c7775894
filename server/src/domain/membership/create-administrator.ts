import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  type AdministeredResource,
  type Appointer,
  authorizeMembership,
  checkAppointment,
  checkRoles,
  type Membership,
} from "../administrator-access/index.ts";
import { addMembership } from "./add-membership.ts";
import type { GainDeps } from "./gain.ts";
import { holdGiven } from "./hold-given.ts";
import { countOffers } from "./membership.store.ts";
import { isAcceptedByGiving, needsAcceptance } from "./needs-acceptance.ts";
import { type OfferDeps, tellOfAppointment } from "./tell-of-appointment.ts";

/**
 * Makes a user of any organization administrator of a resource. The roles take effect with the user's next request; for
 * a user of an organization where the caller may not change users, once the user has accepted them.
 */
export function createAdministrator(
  deps: OfferDeps & GainDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource; readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const appointer = await authorizeMembership(tx, call, input.resource, "write");
    return appointAdministrator(tx, deps, appointer, input);
  });
}

/** Step: makes a user administrator of a resource, or offers it, if the caller may assign these roles there. */
export async function appointAdministrator(
  tx: Tx,
  deps: OfferDeps & GainDeps,
  appointer: Appointer,
  member: { readonly userId: string; readonly roles: readonly string[] },
): Promise<Membership> {
  checkRoles(member.roles, appointer.scope.level);
  checkAppointment(appointer, new Set(member.roles));
  const appointee = await holdGiven(tx, appointer.scope, member.userId);
  if (appointee === undefined) throw new Fault("not_found", "user.not_found", { field: "userId" });
  const isPending = needsAcceptance(tx.call, appointer, appointee);
  if (isPending) await refuseFlood(tx, appointer, member.userId);
  const isAccepted = isAcceptedByGiving(tx.call, appointer, appointee);
  const membership = await addMembership(tx, deps, appointer.scope, { ...member, isPending, isAccepted });
  if (isPending) await tellOfAppointment(tx, deps, appointer, member.userId);
  return membership;
}

/** How many offers of one organization may wait for a user's answer. */
const mostOffers = 20;

// Users see every offer on a page of their account.
async function refuseFlood(tx: Tx, { scope }: Appointer, userId: string): Promise<void> {
  if ((await countOffers(tx, scope, userId)) < mostOffers) return;
  throw new Fault("resource_exhausted", "membership.offers_unanswered", {
    field: "userId",
    values: { maximum: mostOffers },
  });
}
