import type { Scope } from "../../call/index.ts";
import { list as oneOf, type Reader, sql, type Tx } from "../../database/index.ts";
import type { ResolvedAdministratorScope } from "./membership.ts";
import type { MembershipLevel } from "./roles.ts";

interface HeldRole {
  readonly level: MembershipLevel;
  readonly resourceId: string;
  readonly role: string;
}

/** A role with the built-in project of the instance. */
export interface HeldRoleInInstance extends HeldRole {
  readonly systemProjectId: string;
}

type ScopeRow = Omit<HeldRole, "role"> & { readonly ownerId: string; readonly grantedOrganizationId: string | null };

/**
 * Lists every administrative role of a user. Reads one range of the primary key, because it runs with every API
 * request.
 */
export async function listHeldRoles(reader: Reader, instanceId: string, userId: string): Promise<HeldRoleInInstance[]> {
  return reader.all<HeldRoleInInstance>(sql`select r.level, r.resource_id as "resourceId", r.role,
      coalesce(i.system_project_id, '') as "systemProjectId"
    from membership_roles r left join instances i on i.instance_id = r.instance_id
    where r.instance_id = ${instanceId} and r.user_id = ${userId}`);
}

/** Whether a user administers anything, or is asked to. */
export async function isAppointed(reader: Reader, instanceId: string, userId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from memberships
    where instance_id = ${instanceId} and user_id = ${userId} limit 1`);
  return row !== undefined;
}

/**
 * Whether a user's own organization, or the instance, gave them their position on a grant: they did not accept it from
 * another organization.
 */
export async function isPositionByHome(tx: Tx, grantId: string, userId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from memberships
    where instance_id = ${tx.instanceId} and level = 'project_grant' and resource_id = ${grantId}
      and user_id = ${userId} and accepted_at is null`);
  return row !== undefined;
}

/**
 * Whether a position of a user was given or changed after the instant. One that was only offered carries nothing:
 * strangers offer theirs to users of other organizations.
 */
export async function hasGainedSince(
  reader: Reader,
  instanceId: string,
  { userId, since }: { readonly userId: string; readonly since: number },
): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from memberships m
    where m.instance_id = ${instanceId} and m.user_id = ${userId} and m.changed_at > ${since}
      and exists (select 1 from membership_roles r where r.instance_id = ${instanceId} and r.level = m.level
        and r.resource_id = m.resource_id and r.user_id = m.user_id) limit 1`);
  return row !== undefined;
}

/** A role of a user, with the resource to which it applies. */
export interface ScopedRole {
  readonly role: string;
  readonly scope: ResolvedAdministratorScope;
  /** Whether that is the built-in project of the instance. */
  readonly isBuiltIn: boolean;
}

/** Lists every administrative role of a user with the resource to which it applies. */
export async function listScopedRoles(reader: Reader, instanceId: string, userId: string): Promise<ScopedRole[]> {
  const rows = await reader.all<
    ScopeRow & { role: string; isBuiltIn: number }
  >(sql`select r.level, r.resource_id as "resourceId", r.role, m.organization_id as "ownerId",
      g.granted_organization_id as "grantedOrganizationId",
      case when r.level = 'project' and i.system_project_id = r.resource_id then 1 else 0 end as "isBuiltIn"
    from membership_roles r
    join memberships m on m.instance_id = r.instance_id and m.level = r.level and m.resource_id = r.resource_id
      and m.user_id = r.user_id
    left join instances i on i.instance_id = r.instance_id
    left join project_grants g on r.level = 'project_grant' and g.instance_id = r.instance_id and g.grant_id = r.resource_id
    where r.instance_id = ${instanceId} and r.user_id = ${userId}`);
  return rows.map(({ role, isBuiltIn, ...row }) => ({
    role,
    scope: { ...row, permissionScopes: permissionScopesOf(row) },
    isBuiltIn: isBuiltIn === 1,
  }));
}

/** Returns those of the roles that users hold at an organization now. */
export async function listRolesHeldAt(
  reader: Reader,
  instanceId: string,
  { organizationId, roles }: { readonly organizationId: string; readonly roles: readonly string[] },
): Promise<string[]> {
  const rows = await reader.all<{ role: string }>(sql`select distinct role from membership_roles
    where instance_id = ${instanceId} and role in ${oneOf(roles)} and level = 'organization'
      and resource_id = ${organizationId}`);
  return rows.map(({ role }) => role);
}

function permissionScopesOf(row: ScopeRow): readonly Scope[] {
  const { level, resourceId, ownerId: organizationId, grantedOrganizationId } = row;
  switch (level) {
    case "instance":
      return [{}];
    case "organization":
      return [{ organizationId: resourceId }];
    case "project":
      return [{ organizationId, projectId: resourceId }];
    case "project_grant": {
      const granted = grantedOrganizationId ?? "";
      return [
        { organizationId, projectGrantId: resourceId },
        { organizationId: granted, projectGrantId: resourceId },
      ];
    }
    default:
      return level satisfies never;
  }
}
