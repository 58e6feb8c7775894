import { type Principal, publishedRoles } from "./model.ts";
import type { Tenant } from "./tenant.ts";

/** The kinds of resource that a user can administrate. */
export const resourceKinds = ["instance", "organization", "project", "project_grant"] as const;
export type ResourceKind = (typeof resourceKinds)[number];

const owners: Readonly<Record<ResourceKind, string>> = {
  instance: "IAM_OWNER",
  organization: "ORG_OWNER",
  project: "PROJECT_OWNER",
  project_grant: "PROJECT_GRANT_OWNER",
};

const nouns: Readonly<Record<ResourceKind, string>> = {
  instance: "iam.member",
  organization: "org.member",
  project: "project.member",
  project_grant: "project.grant.member",
};

const rolePrefixes: Readonly<Record<ResourceKind, RegExp>> = {
  instance: /^IAM_/,
  organization: /^(ORG_|SELF_MANAGEMENT_GLOBAL$)/,
  project: /^PROJECT_/,
  project_grant: /^PROJECT_GRANT_/,
};

/** The published roles that are given for such a resource. */
export const rolesFor = (kind: ResourceKind): string[] =>
  [...publishedRoles.keys()].filter((role) => rolePrefixes[kind].test(role));

const permissionsOf = (role: string | undefined): ReadonlySet<string> =>
  publishedRoles.get(role ?? "")?.permissions ?? new Set();

/** Whether the position of a principal reaches a resource of a tenant. */
export function isInReach({ position }: Principal, kind: ResourceKind, { name, objects }: Tenant): boolean {
  if (position === undefined || name === "absent" || name === "otherInstance") return false;
  const { organization, grantedOrganization, project, grant } = objects;
  const inside: Readonly<Record<string, readonly (string | undefined)[]>> = {
    organization: [
      ...(kind === "instance" ? [] : [organization]),
      ...(kind === "project_grant" ? [grantedOrganization] : []),
    ],
    project: kind === "project" || kind === "project_grant" ? [project] : [],
    project_grant: kind === "project_grant" ? [grant] : [],
  };
  if (position.level === "instance" || position.level === "system") return true;
  return inside[position.level]?.includes(position.resourceId) ?? false;
}

/** Whether a user may give or take roles; `isClose` when they hold the permission for it, whatever the roles. */
export interface Permitted {
  readonly isAllowed: boolean;
  readonly isClose: boolean;
}

/** Returns what a principal may do with positions at a resource, by the published roles alone. */
export function appointerOf(principal: Principal, kind: ResourceKind, tenant: Tenant) {
  const held = isInReach(principal, kind, tenant) ? permissionsOf(principal.position?.role) : new Set<string>();
  const holdsAll = (role: string): boolean => permissionsOf(role).isSubsetOf(held);
  const above = resourceKinds.slice(0, resourceKinds.indexOf(kind) + 1);
  // A user hands on only what they hold there; a user who holds all that an owner holds gives every role for it. What
  // is held to sign others in is not handed on at all (A14).
  const isLoginClient = principal.position?.role === "IAM_LOGIN_CLIENT";
  const mayHandOn = (role: string): boolean =>
    !isLoginClient && (holdsAll(role) || above.some((each) => holdsAll(owners[each])));
  return (verb: "write" | "delete", roles: readonly string[]): Permitted => {
    const isClose = held.has(`${nouns[kind]}.${verb}`);
    return { isClose, isAllowed: isClose && roles.every(mayHandOn) };
  };
}

/** A resource as v2 requests name it. */
export function resourceOf(kind: ResourceKind, { objects }: Tenant): object {
  const { organization, project, grantedOrganization } = objects;
  switch (kind) {
    case "instance":
      return { instance: true };
    case "organization":
      return { organizationId: organization };
    case "project":
      return { projectId: project };
    case "project_grant":
      return { projectGrant: { projectId: project, organizationId: grantedOrganization } };
    default:
      return kind satisfies never;
  }
}

/** The v1 method that appoints administrators of such a resource, and what its request has to name. */
export function firstAppointment(
  kind: ResourceKind,
  { objects }: Tenant,
): { readonly method: string; readonly request: object } {
  const { project, grant } = objects;
  switch (kind) {
    case "instance":
      return { method: "admin.v1.AdminService/AddIAMMember", request: {} };
    case "organization":
      return { method: "management.v1.ManagementService/AddOrgMember", request: {} };
    case "project":
      return { method: "management.v1.ManagementService/AddProjectMember", request: { projectId: project } };
    case "project_grant":
      return {
        method: "management.v1.ManagementService/AddProjectGrantMember",
        request: { projectId: project, grantId: grant },
      };
    default:
      return kind satisfies never;
  }
}
