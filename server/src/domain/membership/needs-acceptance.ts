import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Appointer } from "./authorize-membership.ts";
import { memberPermission } from "./membership.ts";
import type { Appointee } from "./place.store.ts";

/**
 * Whether an appointment has no effect until it is accepted: that of a user of another organization, by a caller who may
 * not change the user there. What a tenant configures has effect in that tenant alone.
 */
export function needsAcceptance(call: Call, { place, access: held }: Appointer, appointee: Appointee): boolean {
  const { userId, organizationId: home } = appointee;
  const caller = requireCaller(call);
  // The instance is home to all its users, and who appoints themselves has accepted.
  if (place.level === "instance" || caller.userId === userId) return false;
  const access = withoutLoginClient(held);
  if (access.allows("user.write", { organizationId: home })) return false;
  if (place.level !== "project_grant") return place.ownerId !== home;
  // A grant lies in two organizations: the one that appoints must be the user's own, by those whom it has appoint its people.
  // A position on the project or the grant alone does not say so: the lending organization may have given it to anyone.
  const isOfHome = place.scopes.some(({ organizationId }) => organizationId === home);
  return !isOfHome || !access.allows(`${memberPermission.project_grant}.write`, { organizationId: home });
}
