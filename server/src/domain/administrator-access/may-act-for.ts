import { type Access, type Call, type DecisionOptions, decideBy, withoutLoginClient } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { listScopedRoles } from "./access.store.ts";
import { mayAppoint } from "./may-appoint.ts";
import type { AdministratorScope } from "./membership.ts";

/**
 * Whether the caller may take over a user's credentials. For every administrative position of the user, the caller must
 * hold at least its permissions. Otherwise a manager of an organization's users could set the password of its owner and
 * thereby become the owner. With the user's own organization (`home`), for what gives the caller no credential,
 * positions in other organizations do not count: who appoints a stranger does not take them from their home. What a
 * caller holds as a sign-in application does not count: `mayActForUser` says what those may do.
 */
export async function mayActFor(
  reader: Reader,
  call: Call,
  userId: string,
  home?: { readonly organizationId: string },
  options: DecisionOptions = {},
): Promise<boolean> {
  const access = call.caller && withoutLoginClient(call.caller.access);
  if (access === undefined) return false;
  const held = await listScopedRoles(reader, call.instanceId, userId);
  const counting = home === undefined ? held : held.filter(({ scope }) => !isForeign(scope, home.organizationId));
  const mayAct = (one: Access): boolean => counting.every(({ role, scope }) => mayAppoint(one, role, scope));
  return decideBy(access, `act for ${userId} ${home?.organizationId ?? ""}`, mayAct, options);
}

// The instance is no other organization: its administrators stay out of the reach of all others. A project that another
// organization lent to the user's own is still that organization's.
const isForeign = ({ level, ownerId }: AdministratorScope, home: string): boolean =>
  level !== "instance" && ownerId !== home;
