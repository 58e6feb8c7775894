import { Fault } from "../../base/fault.ts";
import { requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import {
  type AdministeredResource,
  holdAdministratorScope,
  type Membership,
  type ResolvedAdministratorScope,
} from "../administrator-access/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, isSelf } from "../user/index.ts";
import { holdMembership } from "./membership.store.ts";

/** An offered position, as the caller who answers names it. */
export interface OfferAnswer {
  readonly userId: string;
  readonly resource: AdministeredResource;
}

/**
 * Step: locks and returns what was offered to a user, if the caller may answer. Users answer for themselves; for
 * service accounts, administrators that may change them in their home organization do, and neither the account itself
 * nor a sign-in application. `isFresh`: users must have authenticated in full within the last minutes.
 */
export async function holdOffer(
  tx: Tx,
  { mayActFor, isFresh }: Pick<AuthorizeDeps, "mayActFor"> & Partial<AuthorizeDeps>,
  { userId, resource }: OfferAnswer,
): Promise<{ readonly scope: ResolvedAdministratorScope; readonly membership: Membership }> {
  const { access } = requireCaller(tx.call);
  const scope = await holdAdministratorScope(tx, resource);
  const user = await holdAuthorizedUser(tx, userId, {
    permission: "user.write",
    isSelfAllowed: true,
    mayActFor,
    ...(isFresh !== undefined && { isFresh }),
  });
  const mayAnswer =
    user.kind === "human"
      ? isSelf(tx.call, userId)
      : !isSelf(tx.call, userId) &&
        withoutLoginClient(access).allows("user.write", { organizationId: user.organizationId });
  if (!mayAnswer) throw new Fault("permission_denied", "membership.not_asked", { field: "userId" });
  const membership = scope && (await holdMembership(tx, scope, userId));
  if (scope === undefined || membership === undefined || membership.pendingRoles.length === 0) {
    throw new Fault("not_found", "membership.not_offered", { field: "resource" });
  }
  return { scope, membership };
}
