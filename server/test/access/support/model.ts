import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { About, Row } from "./rows.ts";
import type { Tenant } from "./tenant.ts";

/** A caller, and the one position that they hold. */
export interface Principal {
  readonly name: string;
  readonly token: string | null;
  readonly position?: { readonly role: string; readonly level: string; readonly resourceId: string };
  /** The user that `own` objects are about. */
  readonly isSelf?: true;
  /** The organization that the caller belongs to. */
  readonly home?: string;
  /** The caller's token is not known to this instance. */
  readonly isUnknown?: true;
}

/** Permissions of every role, as published: not those that the server reads. */
export const publishedRoles: ReadonlyMap<
  string,
  { readonly level: string; readonly permissions: ReadonlySet<string> }
> = new Map(
  readFileSync(join(import.meta.dirname, "../../../../api/test/reference/roles.txt"), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [head = "", permissions = ""] = line.split(": ");
      const [role = "", level = ""] = head.split(" ");
      return [role, { level, permissions: new Set(permissions.split(" ")) }];
    }),
);

export type Expected = "unauthenticated" | "refused" | "allowed" | "filtered";

const ofPerson: readonly About[] = ["user", "session", "authorization"];
const inProject: readonly About[] = ["project", "application", "resource", "grant", "authorization"];

/** Returns what a call has to be answered, by the published roles and the declared row. */
export function expectedOf(row: Row, principal: Principal, tenant: Tenant): Expected {
  if (row.isForEverybody) return "allowed";
  if (principal.token === null || principal.isUnknown) return "unauthenticated";
  // System users are not users of an instance: most of what is about the caller is absent for them.
  if (row.about === "self" && principal.position?.level === "system") return "filtered";
  if (row.permissions.length === 0)
    return row.about !== "organization" || isNear(principal, tenant) ? "allowed" : "refused";
  if (row.about === "list") return "filtered";
  if (row.about === "anywhere") return mayAnywhere(row, principal, tenant) ? "allowed" : "refused";
  if (row.isForSelf && row.about === "organization" && principal.home === tenant.objects["organization"])
    return "allowed";
  if (row.isForSelf && principal.isSelf && ofPerson.includes(row.about) && tenant.name === "own") return "allowed";
  return reaches(row, principal, tenant) && !isBeyondLogin(row, principal) ? "allowed" : "refused";
}

// What a sign-in application holds for people who sign in with it reaches neither their roles nor sessions of others
// (A14).
const isBeyondLogin = ({ method, permissions }: Row, { position }: Principal): boolean =>
  position?.role === "IAM_LOGIN_CLIENT" &&
  (permissions.includes("user.grant.write") ||
    /\/(?:SetSession|DeleteSession|CreateJob|CancelJob|\w+SetupLinks?)$/.test(method));

/** Whether the principal holds a permission of the row anywhere. */
function holds(row: Row, { position }: Principal): boolean {
  const permissions = publishedRoles.get(position?.role ?? "")?.permissions;
  return row.permissions.some((permission) => permissions?.has(permission));
}

// Users of an organization, and administrators of it or of the instance, may read what is open to all its users.
function isNear({ home, position }: Principal, { objects, name }: Tenant): boolean {
  const isOfInstance = position?.level === "instance";
  const organization = objects["organization"];
  return (
    home === organization ||
    position?.resourceId === organization ||
    (isOfInstance && ["own", "otherOrganization"].includes(name))
  );
}

/** Whether the principal may learn what exists: they belong to the tenant, or administrate something in or above it. */
export function mayKnow({ home, position }: Principal, { name, objects }: Tenant): boolean {
  if (position?.level === "instance" || position?.level === "system")
    return name === "own" || name === "otherOrganization";
  const near = [objects["organization"], objects["grantedOrganization"], objects["project"], objects["grant"]];
  return near.includes(home) || near.includes(position?.resourceId);
}

// v1 methods ask in the organization that the call names, and allow administrators of a single project anywhere.
function mayAnywhere(row: Row, principal: Principal, tenant: Tenant): boolean {
  const isNarrow = ["project", "project_grant"].includes(principal.position?.level ?? "");
  const isUnknown = ["absent", "otherInstance"].includes(tenant.name);
  if (!row.method.includes(".management.v1.")) return holds(row, principal);
  return reaches(row, principal, tenant) || (isNarrow && !isUnknown && holds(row, principal));
}

/** Whether the principal holds a permission of the row where the object is. */
export function reaches(row: Row, principal: Principal, tenant: Tenant): boolean {
  const { position } = principal;
  if (position === undefined || tenant.name === "absent" || !holds(row, principal)) return false;
  const { objects } = tenant;
  switch (position.level) {
    case "system":
      return ["system", "instance"].includes(row.about) || tenant.name !== "otherInstance";
    case "instance":
      return row.about !== "system" && tenant.name !== "otherInstance";
    case "organization":
      return !["system", "instance"].includes(row.about) && position.resourceId === objects["organization"];
    case "project":
      return [...inProject, "list"].includes(row.about) && position.resourceId === objects["project"];
    case "project_grant":
      return ["grant", "granted", "list"].includes(row.about) && position.resourceId === objects["grant"];
    default:
      throw new Error(`there is no level ${position.level}`);
  }
}
