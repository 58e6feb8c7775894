import { Fault } from "../base/fault.ts";
import type { Scope } from "./access.ts";
import type { Call, Caller } from "./call.ts";
import { withoutLoginClient } from "./login-client.ts";

export interface Authorization {
  /** Permission that the operation requires. */
  readonly permission: string;
  /** Permission that lets the caller know that the resource exists; without it the refusal is "not found". */
  readonly readPermission: string;
  /** Slug of the refusal when the resource is absent or hidden: `user.not_found`. */
  readonly absent: string;
  /** Whether the caller may act on this exact resource without the permission (own user, own session). */
  readonly isOwn?: boolean;
  /**
   * Whether the permission does not count where the caller holds it as a sign-in application (`IAM_LOGIN_CLIENT`): its
   * rights over users who sign in with it must not extend to anything else (A14).
   */
  readonly isBeyondLogin?: boolean;
}

/** Returns the caller; refuses anonymous calls. */
export function requireCaller(call: Call): Caller {
  if (call.caller === undefined) throw new Fault("unauthenticated", "authentication.required");
  return call.caller;
}

/** Returns the organization of a v1 call. Refuses callers without an organization (system users) that named none. */
export function requireOrganization(call: Call): string {
  if (call.organizationId === undefined || call.organizationId === "") {
    throw new Fault("invalid_argument", "organization.context_missing");
  }
  return call.organizationId;
}

/**
 * Admits callers with the permission in the scope of the resource. "Absent" and "not yours" are the same refusal; only
 * callers that may read the resource learn that writing it is forbidden.
 */
export function authorize<Thing extends Scope>(
  call: Call,
  thing: Thing | undefined,
  wanted: Authorization,
): asserts thing is Thing {
  const { access } = requireCaller(call);
  if (thing === undefined) throw new Fault("not_found", wanted.absent);
  const counting = wanted.isBeyondLogin === true ? withoutLoginClient(access) : access;
  if (wanted.isOwn === true || counting.allows(wanted.permission, thing)) return;
  if (access.allows(wanted.readPermission, thing)) throw permissionDenied(wanted.permission);
  throw new Fault("not_found", wanted.absent);
}

/**
 * Like `authorize`, for deletion: returns whether there is something to delete. Deleting an absent resource succeeds
 * for callers with the permission everywhere; all others only learn that they cannot see such a resource.
 */
export function authorizeDeletion<Thing extends Scope>(
  call: Call,
  thing: Thing | undefined,
  wanted: Authorization,
): thing is Thing {
  if (thing === undefined && requireCaller(call).access.reach(wanted.permission).everywhere) return false;
  authorize(call, thing, wanted);
  return true;
}

/** Requires the permission in this scope; for resources that do not exist yet, or whose existence is not secret. */
export function requirePermission(call: Call, permission: string, scope: Scope): void {
  if (!requireCaller(call).access.allows(permission, scope)) throw permissionDenied(permission);
}

function permissionDenied(permission: string): Fault {
  return new Fault("permission_denied", "permission.missing", { values: { permission } });
}
