import { firstSequence, sql, type Tx, text } from "../../database/index.ts";
import { deleteRoles } from "./membership.store.ts";
import type { Membership } from "./membership.ts";
import { type MemberRoles, type MembershipRow, toMembership, type Where } from "./membership-row.ts";

/** Inserts the administrator; undefined when the user is an administrator there already. */
export async function insertMembership(
  tx: Tx,
  place: Where,
  member: MemberRoles & { readonly aggregateId: string },
): Promise<Membership | undefined> {
  const row =
    await tx.maybe<MembershipRow>(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${place.level}, ${place.resourceId}, ${member.userId},
      ${place.level === "instance" ? "" : place.ownerId},
      ${firstSequence(tx, "membership", member.aggregateId)},
      ${tx.now}, ${tx.now})
    on conflict do nothing returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await insertRoles(tx, place, member);
  return toMembership(place, { ...row, ...member });
}

/**
 * Replaces the roles of an administrator. `isAccepted`: by the user's own acceptance. What was accepted before is
 * forgotten with the last role that has effect.
 */
export async function replaceRoles(
  tx: Tx,
  place: Where,
  { isAccepted = false, ...member }: MemberRoles & { readonly isAccepted?: boolean },
): Promise<Membership | undefined> {
  const kept = member.roles.length === 0 ? text("null") : text("accepted_at");
  const acceptedAt = isAccepted ? sql`${tx.now}` : kept;
  const row =
    await tx.maybe<MembershipRow>(sql`update memberships set sequence = sequence + 1, changed_at = ${tx.now}, accepted_at = ${acceptedAt}
    where instance_id = ${tx.instanceId} and level = ${place.level} and resource_id = ${place.resourceId}
      and user_id = ${member.userId} returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await deleteRoles(tx, place, member.userId);
  await insertRoles(tx, place, member);
  return toMembership(place, { ...row, ...member });
}

async function insertRoles(tx: Tx, place: Where, { userId, roles, pendingRoles }: MemberRoles): Promise<void> {
  for (const role of roles) {
    await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
      values (${tx.instanceId}, ${place.level}, ${place.resourceId}, ${userId}, ${role})`);
  }
  for (const role of pendingRoles) {
    await tx.run(sql`insert into pending_membership_roles (instance_id, level, resource_id, user_id, role)
      values (${tx.instanceId}, ${place.level}, ${place.resourceId}, ${userId}, ${role})`);
  }
}
