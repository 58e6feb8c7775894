import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Database, type Details, performAll } from "../../database/index.ts";
import { listRefreshableFamilyIds } from "./refreshable-family.store.ts";
import { isFamilyOfCaller, revokeFamiliesById, revokeFamily } from "./revoke-families.ts";

/**
 * Takes from an application what it may renew for the caller, with its access tokens. What is gone and what belongs to
 * another user are both not found.
 */
export function revokeOwnRefreshToken(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly familyId: string },
): Promise<Pick<Details, "changedAt">> {
  const { userId } = requireCaller(call);
  return deps.database.change(call, async (tx) => {
    const wanted = { userId, now: tx.now, familyId: input.familyId, limit: 1 };
    const [familyId] = await listRefreshableFamilyIds(tx, tx.instanceId, wanted);
    if (familyId === undefined) throw new Fault("not_found", "token.refresh_token_not_found", { field: "id" });
    await revokeFamily(tx, familyId, "revoked_by_user");
    return { changedAt: tx.now };
  });
}

/** Takes from all applications what they may renew for the caller, with their access tokens. */
export function revokeAllOwnRefreshTokens(deps: { readonly database: Database }, call: Call): Promise<void> {
  const { userId } = requireCaller(call);
  return deps.database.change(call, (tx) =>
    performAll(tx, {
      list: (own, limit) => listRefreshableFamilyIds(own, own.instanceId, { userId, now: own.now, limit }),
      perform: (own, familyIds) => revokeFamiliesById(own, familyIds, "revoked_by_user"),
      isOfCaller: isFamilyOfCaller(call),
    }),
  );
}
