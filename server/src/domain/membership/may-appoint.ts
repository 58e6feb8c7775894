import { type Access, createAccess, type Position } from "../../call/index.ts";
import type { RoleAtPlace } from "./access.store.ts";
import type { Place } from "./membership.ts";
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
export function mayAppoint(access: Access, role: string, place: Place): boolean {
  const holdsAll = (name: string): boolean =>
    permissionsOf(name).every((permission) => place.scopes.some((scope) => access.allows(permission, scope)));
  return holdsAll(role) || ownersAbove[place.level].some(holdsAll);
}

/**
 * Whether what others held, when they prepared something or answered for a provider, carries these roles of a user.
 * What is known of them does not always say that they could not change the built-in project, so it is said here.
 */
export function holdsPlaces({ positions }: Access, held: readonly RoleAtPlace[]): boolean {
  const readOnlyProjectId = held.find(({ isBuiltIn }) => isBuiltIn)?.place.resourceId;
  const access = createAccess(
    positions.map((position) => (changesBuiltInProject(position) ? position : { ...position, readOnlyProjectId })),
  );
  return held.every(({ role, place }) => mayAppoint(access, role, place));
}

/** Only those who may change the instance change its built-in project. */
export const changesBuiltInProject = ({ level, permissions }: Pick<Position, "level" | "permissions">): boolean =>
  level === "system" || permissions.has("iam.write");
