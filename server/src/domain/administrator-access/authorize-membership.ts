import { Fault } from "../../base/fault.ts";
import {
  type Access,
  type Call,
  commonAccess,
  holdForCaller,
  isOfInstance,
  requireCaller,
  withoutLoginClient,
} from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findAdministratorScope, holdAdministratorScope } from "./administrator-scope.store.ts";
import { loadAccess } from "./load-access.ts";
import { mayAppoint } from "./may-appoint.ts";
import { type AdministeredResource, memberPermission, type ResolvedAdministratorScope } from "./membership.ts";
import { isAssignable, type MembershipLevel } from "./roles.ts";

const absence = {
  instance: { readPermission: "iam.read", slug: "instance.not_found" },
  organization: { readPermission: "org.read", slug: "organization.not_found" },
  project: { readPermission: "project.read", slug: "project.not_found" },
  project_grant: { readPermission: "project.grant.read", slug: "project_grant.not_found" },
} as const satisfies Record<MembershipLevel, object>;

/** A caller who may change the administrators of a resource. */
export interface Appointer {
  readonly scope: ResolvedAdministratorScope;
  readonly access: Access;
}

/**
 * Authorizes a caller to change the administrators of a resource. The caller's roles are read again inside the unit of
 * work, so that an administrator who is being removed concurrently can no longer remove others.
 */
export async function authorizeMembership(
  tx: Tx,
  call: Call,
  resource: AdministeredResource,
  verb: "write" | "delete",
): Promise<Appointer> {
  const permission = `${memberPermission[resource.level]}.${verb}`;
  const holdable = {
    find: () => findAdministratorScope(tx, tx.instanceId, resource),
    hold: () => holdAdministratorScope(tx, resource),
  };
  const { access: granted } = requireCaller(call);
  const scope = await holdForCaller(call, permission, holdable, (found) => {
    requireInScope(granted, resource.level, found, permission);
    return found;
  });
  const access = await currentAccess(tx, call);
  requireInScope(access, resource.level, scope, permission);
  return { scope, access };
}

/** Requires a permission on a resource. To a caller who may not read the resource, it does not exist. */
export function requireInScope(
  access: Access,
  level: MembershipLevel,
  scope: ResolvedAdministratorScope | undefined,
  permission: string,
): asserts scope is ResolvedAdministratorScope {
  const holds = (wanted: string): boolean =>
    scope?.permissionScopes.some((each) => access.allows(wanted, each)) ?? false;
  if (scope !== undefined && holds(permission)) return;
  const { readPermission, slug } = absence[level];
  if (level === "instance" || holds(readPermission)) {
    throw new Fault("permission_denied", "permission.missing", { values: { permission } });
  }
  throw new Fault("not_found", slug, { field: "resource" });
}

/** Rejects roles that do not belong to the level. */
export function checkRoles(roles: readonly string[], level: MembershipLevel): void {
  if (roles.length === 0) throw new Fault("invalid_argument", "membership.roles_missing", { field: "roles" });
  roles.forEach((role, index) => {
    if (!isAssignable(role, level)) {
      throw new Fault("invalid_argument", "membership.role_invalid", { field: `roles[${index}]`, values: { role } });
    }
  });
}

/**
 * Rejects assigning or removing roles that the caller may not assign: removal requires the same right as assignment.
 * What a caller holds as a sign-in application does not count: it would live on in a position that it gave, after its
 * own was taken.
 */
export function checkAppointment({ access: held, scope }: Appointer, roles: Iterable<string>): void {
  const access = withoutLoginClient(held);
  for (const role of roles) {
    if (!mayAppoint(access, role, scope)) {
      throw new Fault("permission_denied", "membership.role_beyond_own", { field: "roles", values: { role } });
    }
  }
}

/**
 * Step: reads the roles of the caller again. Returns the intersection of what the credential allows and what the roles
 * say now; for an entry of data, the roles of the importer. System users have no roles in the database. What it allows
 * has to hold until the unit is done, and nothing else (`holdAccess`).
 */
export async function currentAccess(tx: Tx, call: Call): Promise<Access> {
  const caller = requireCaller(call);
  const { access, importer } = caller;
  if (!isOfInstance(caller)) return access;
  const now = await loadAccess(tx, tx.instanceId, importer?.userId ?? caller.userId);
  const common = (held: Access): Access => commonAccess(now, held);
  if (importer === undefined) return access.derive?.("current", common) ?? common(access);
  return {
    ...access,
    allows: (permission, scope) => access.allows(permission, scope) && now.allows(permission, scope),
    allowsAll: (permissions, scope) => access.allowsAll(permissions, scope) && now.allowsAll(permissions, scope),
  };
}
