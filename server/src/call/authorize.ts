import { Fault } from "../base/fault.ts";
import type { Scope } from "./access.ts";
import type { Call, Caller } from "./call.ts";

export interface Authorization {
  /** Permission that the operation needs. */
  readonly permission: string;
  /** Permission that lets the caller know that the thing exists; without it the refusal says "not found". */
  readonly readPermission: string;
  /** Slug of the refusal when the thing is absent or hidden: `user.not_found`. */
  readonly absent: string;
  /** Whether the caller may do it to this very thing without the permission (own user, own session). */
  readonly isOwn?: boolean;
}

/** The caller, or a refusal: the operation needs somebody. */
export function requireCaller(call: Call): Caller {
  if (call.caller === undefined) throw new Fault("unauthenticated", "authentication.required");
  return call.caller;
}

/** The organization that a call of the first generation is about. Refuses callers who belong to none (system users) and named none. */
export function requireOrganization(call: Call): string {
  if (call.organizationId === undefined || call.organizationId === "") {
    throw new Fault("invalid_argument", "organization.context_missing");
  }
  return call.organizationId;
}

/**
 * Lets the caller pass who holds the permission where the thing lives. "Absent" and "not yours" are the same refusal; only who may
 * read the thing learns that writing it is not allowed.
 */
export function authorize<Thing extends Scope>(
  call: Call,
  thing: Thing | undefined,
  wanted: Authorization,
): asserts thing is Thing {
  const { access } = requireCaller(call);
  if (thing === undefined) throw new Fault("not_found", wanted.absent);
  if (wanted.isOwn === true || access.allows(wanted.permission, thing)) return;
  if (access.allows(wanted.readPermission, thing)) throw permissionDenied(wanted.permission);
  throw new Fault("not_found", wanted.absent);
}

/**
 * Like `authorize`, for deleting: tells whether there is something to delete. What is gone already is fine for who could have deleted it
 * wherever it was; everybody else learns no more than that there is no such thing for him.
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

/** Lets the caller pass who holds the permission there; for things that do not exist yet, or whose existence is no secret. */
export function requirePermission(call: Call, permission: string, scope: Scope): void {
  if (!requireCaller(call).access.allows(permission, scope)) throw permissionDenied(permission);
}

function permissionDenied(permission: string): Fault {
  return new Fault("permission_denied", "permission.missing", { values: { permission } });
}
