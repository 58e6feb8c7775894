import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import {
  type AdministeredResource,
  authorizeMembership,
  checkAppointment,
  findAdministratorScope,
  holdAdministratorScope,
  mayActFor,
  type ResolvedAdministratorScope,
} from "../administrator-access/index.ts";
import { findUser } from "../user/index.ts";
import { hasMembership, holdMembership } from "./membership.store.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";
import { removeMembership } from "./remove-membership.ts";

/**
 * Removes an administrator, or takes back what was offered and not accepted yet. Users give up positions of their own,
 * and the organization that they belong to takes them out of positions elsewhere: a position that another organization
 * gave must not bind them. Removing a user who is not an administrator succeeds, and nothing is returned.
 */
export function deleteAdministrator(
  deps: { readonly database: Database },
  call: Call,
  { userId, resource }: { readonly userId: string; readonly resource: AdministeredResource },
): Promise<{ readonly deletedAt?: number; readonly details?: Details }> {
  return deps.database.change(call, async (tx) => {
    const isForUser = await mayEnd(tx, resource, userId);
    const appointer = isForUser ? undefined : await authorizeMembership(tx, call, resource, "delete");
    const scope = appointer?.scope ?? (await holdAdministratorScope(tx, resource));
    const membership = scope && (await holdMembership(tx, scope, userId));
    if (scope === undefined || membership === undefined) return {};
    if (appointer !== undefined) checkAppointment(appointer, [...membership.roles, ...membership.pendingRoles]);
    if (membership.roles.includes("IAM_OWNER")) await refuseLastOwner(tx, [userId]);
    await removeMembership(tx, scope, userId);
    const { details } = membership;
    return { deletedAt: tx.now, details: { ...details, sequence: details.sequence + 1, changedAt: tx.now } };
  });
}

// Before anything is locked, and only for a position that exists.
async function mayEnd(tx: Tx, resource: AdministeredResource, userId: string): Promise<boolean> {
  const scope = await findAdministratorScope(tx, tx.instanceId, resource);
  return scope !== undefined && (await hasMembership(tx, scope, userId)) && mayEndForUser(tx, scope, userId);
}

// Allowed to the user and, for memberships in other organizations, to callers who may change the user in their home
// organization: neither gains anything by it.
async function mayEndForUser(
  tx: Tx,
  { level, ownerId, permissionScopes }: ResolvedAdministratorScope,
  userId: string,
): Promise<boolean> {
  const caller = requireCaller(tx.call);
  if (caller.userId === userId) return true;
  const user = level === "instance" ? undefined : await findUser(tx, tx.instanceId, userId);
  if (user === undefined || user.organizationId === ownerId) return false;
  const { organizationId } = user;
  // A project granted to the user's organization counts as its own: the organization's administrators decide.
  if (permissionScopes.some((each) => each.organizationId === organizationId)) return false;
  if (!withoutLoginClient(caller.access).allows("user.write", { organizationId })) return false;
  return mayActFor(tx, tx.call, userId, { organizationId });
}
