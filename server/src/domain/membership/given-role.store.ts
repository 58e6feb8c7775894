import { firstSequence, join, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { AdministratorScope, Membership } from "../administrator-access/index.ts";
import { deleteRoles } from "./membership.store.ts";
import { type MemberRoles, type MembershipRow, toMembership } from "./membership-row.ts";

/** Inserts the administrator; undefined when the user is an administrator there already. */
export async function insertMembership(
  tx: Tx,
  scope: AdministratorScope,
  member: MemberRoles & { readonly aggregateId: string; readonly isAccepted: boolean },
): Promise<Membership | undefined> {
  const sequence = await firstSequence(tx, "membership", member.aggregateId);
  const row =
    await tx.maybe<MembershipRow>(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence,
      created_at, changed_at, accepted_at)
    values (${tx.instanceId}, ${scope.level}, ${scope.resourceId}, ${member.userId},
      ${scope.level === "instance" ? "" : scope.ownerId},
      ${sequence},
      ${tx.now}, ${tx.now}, ${member.isAccepted ? tx.now : null})
    on conflict do nothing returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await insertRoles(tx, scope, member);
  return toMembership(scope, { ...row, ...member });
}

/**
 * Replaces the roles of an administrator. `isAccepted`: by the user's own acceptance. What was accepted before is
 * forgotten with the last role that has effect.
 */
export async function replaceRoles(
  tx: Tx,
  scope: AdministratorScope,
  { isAccepted = false, ...member }: MemberRoles & { readonly isAccepted?: boolean },
): Promise<Membership | undefined> {
  const kept = member.roles.length === 0 ? text("null") : text("accepted_at");
  const acceptedAt = isAccepted ? sql`${tx.now}` : kept;
  const row =
    await tx.maybe<MembershipRow>(sql`update memberships set sequence = sequence + 1, changed_at = ${tx.now}, accepted_at = ${acceptedAt}
    where instance_id = ${tx.instanceId} and level = ${scope.level} and resource_id = ${scope.resourceId}
      and user_id = ${member.userId} returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await deleteRoles(tx, scope, member.userId);
  await insertRoles(tx, scope, member);
  return toMembership(scope, { ...row, ...member });
}

async function insertRoles(
  tx: Tx,
  scope: AdministratorScope,
  { userId, roles, pendingRoles }: MemberRoles,
): Promise<void> {
  const rowsOf = (given: readonly string[]): Sql =>
    join(
      given.map((role) => sql`(${tx.instanceId}, ${scope.level}, ${scope.resourceId}, ${userId}, ${role})`),
      ", ",
    );
  if (roles.length > 0) {
    await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
      values ${rowsOf(roles)}`);
  }
  if (pendingRoles.length > 0) {
    await tx.run(sql`insert into pending_membership_roles (instance_id, level, resource_id, user_id, role)
      values ${rowsOf(pendingRoles)}`);
  }
}
