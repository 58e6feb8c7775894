import { type Access, createAccess, decideBy, type Position } from "../../call/index.ts";
import type { ScopedRole } from "./access.store.ts";
import type { ResolvedAdministratorScope } from "./membership.ts";
import { type MembershipLevel, permissionsOf } from "./roles.ts";

const owners: Record<MembershipLevel, string> = {
  instance: "IAM_OWNER",
  organization: "ORG_OWNER",
  project: "PROJECT_OWNER",
  project_grant: "PROJECT_GRANT_OWNER",
};

// The owner of a resource also owns what it contains.
const ownersAbove: Record<MembershipLevel, readonly string[]> = {
  instance: [owners.instance],
  organization: [owners.instance, owners.organization],
  project: [owners.instance, owners.organization, owners.project],
  project_grant: [owners.instance, owners.organization, owners.project, owners.project_grant],
};

/**
 * Whether a caller may assign or remove a role on a resource: only if the caller holds all of the role's permissions
 * there. Owners are the exception for special roles (impersonation, the login's own account) that carry permissions
 * which no owner role has: a caller who holds everything that an owner of the resource holds may assign any role there.
 */
export const mayAppoint = (access: Access, role: string, scope: ResolvedAdministratorScope): boolean =>
  decideBy(access, `appoint ${role} ${scope.level} ${scope.resourceId}`, (held) => {
    const holdsAll = (name: string): boolean =>
      permissionsOf(name).every((permission) => scope.permissionScopes.some((each) => held.allows(permission, each)));
    return holdsAll(role) || ownersAbove[scope.level].some(holdsAll);
  });

/**
 * Whether what others held, when they prepared something or answered for a provider, carries these roles of a user.
 * What is known of them does not always say that they could not change the built-in project, so it is said here.
 */
export function holdsAllRoles({ positions }: Access, held: readonly ScopedRole[]): boolean {
  const readOnlyProjectId = held.find(({ isBuiltIn }) => isBuiltIn)?.scope.resourceId;
  const access = createAccess(
    positions.map((position) => (changesBuiltInProject(position) ? position : { ...position, readOnlyProjectId })),
  );
  return held.every(({ role, scope }) => mayAppoint(access, role, scope));
}

/** Only those who may change the instance change its built-in project. */
export const changesBuiltInProject = ({ level, permissions }: Pick<Position, "level" | "permissions">): boolean =>
  level === "system" || permissions.has("iam.write");
