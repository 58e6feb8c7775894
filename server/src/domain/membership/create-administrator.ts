import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { addMembership } from "./add-membership.ts";
import { type Appointer, authorizeMembership, checkAppointment, checkRoles } from "./authorize-membership.ts";
import type { AdministeredResource, Membership } from "./membership.ts";
import { holdUser } from "./place.store.ts";

/** Makes a user of any organization administrator of a resource. The roles take effect with the user's next request. */
export function createAdministrator(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly resource: AdministeredResource; readonly roles: readonly string[] },
): Promise<Membership> {
  return deps.database.change(call, async (tx) => {
    const appointer = await authorizeMembership(tx, call, input.resource, "write");
    return appointAdministrator(tx, appointer, input);
  });
}

/** Step: makes a user administrator of a resource, if the caller may assign these roles there. */
export async function appointAdministrator(
  tx: Tx,
  appointer: Appointer,
  member: { readonly userId: string; readonly roles: readonly string[] },
): Promise<Membership> {
  checkRoles(member.roles, appointer.place.level);
  checkAppointment(appointer, member.roles);
  if (!(await holdUser(tx, member.userId))) throw new Fault("not_found", "user.not_found", { field: "userId" });
  return addMembership(tx, appointer.place, member);
}
