import roles from "./roles.json" with { type: "json" };

/** Where a membership applies, from the widest to the narrowest. */
export type MembershipLevel = "instance" | "organization" | "project" | "project_grant";

const byName: ReadonlyMap<string, { readonly level: string; readonly permissions: readonly string[] }> = new Map(
  Object.entries(roles),
);

/** Names of all roles. */
export const roleNames: readonly string[] = [...byName.keys()];

/** Returns the permissions of a role; none when the role does not exist. */
export const permissionsOf = (role: string): readonly string[] => byName.get(role)?.permissions ?? [];

const combined = new Map<string, ReadonlySet<string>>();

/** Returns the combined permissions of several roles. Combinations are few, so each is computed once. */
export function permissionsOfAll(roleList: readonly string[]): ReadonlySet<string> {
  const key = roleList.toSorted().join(" ");
  const known = combined.get(key);
  if (known !== undefined) return known;
  const permissions: ReadonlySet<string> = new Set(roleList.flatMap(permissionsOf));
  if (combined.size < 10_000) combined.set(key, permissions);
  return permissions;
}

const prefixes: Record<MembershipLevel, string> = {
  instance: "IAM_",
  organization: "ORG_",
  project: "PROJECT_",
  project_grant: "PROJECT_GRANT_",
};

/**
 * Whether a role exists and may be assigned at a level. The prefix of its name decides, so `PROJECT_GRANT_OWNER` may
 * also be assigned on a project. `SELF_MANAGEMENT_GLOBAL` belongs to organizations.
 */
export function isAssignable(role: string, level: MembershipLevel): boolean {
  if (!byName.has(role)) return false;
  return role.startsWith(prefixes[level]) || (level === "organization" && role === "SELF_MANAGEMENT_GLOBAL");
}
