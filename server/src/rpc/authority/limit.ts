import type { MethodAccess } from "@doorward/api/methods";
import { Fault } from "../../base/fault.ts";
import { type Access, type Caller, createAccess, narrowPosition, type Right } from "../../call/index.ts";
import { rightOfMethod } from "./method-rights.ts";
import { type NeededRight, rightOfPermission } from "./permission-rights.ts";

/** Returns the right that a method needs of an application that is not trusted with our APIs. */
export function rightFor(method: { readonly name: string; readonly access: MethodAccess }): NeededRight {
  const { name, access } = method;
  const stated = Object.hasOwn(rightOfMethod, name) ? rightOfMethod[name] : undefined;
  if (stated !== undefined) return stated;
  return access.kind === "permission" ? rightForPermission(access.permission) : "none";
}

/** Returns the right that a permission needs of such an application. */
export const rightForPermission = (permission: string): NeededRight =>
  (Object.hasOwn(rightOfPermission, permission) ? rightOfPermission[permission] : undefined) ?? "none";

/**
 * Refuses a caller whose application was not given the right. Every way into our APIs calls this, with the caller's
 * permissions limited by `limitAccess` besides.
 */
export function requireRight({ rights }: Pick<Caller, "rights">, needed: NeededRight): void {
  if (rights === undefined || (needed !== "none" && rights.has(needed))) return;
  const slug = needed === "none" ? "authentication.untrusted_application" : "authentication.right_missing";
  throw new Fault("permission_denied", slug, { values: { right: needed } });
}

/** Returns the access of a user without the permissions that the rights of the application do not cover. */
export function limitAccess({ positions }: Access, rights: ReadonlySet<Right>): Access {
  const covers = (permission: string): boolean => {
    const needed = rightForPermission(permission);
    return needed !== "none" && rights.has(needed);
  };
  return createAccess(positions.map((position) => narrowPosition(position, covers)));
}
