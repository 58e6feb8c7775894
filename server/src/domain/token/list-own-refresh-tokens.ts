import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { listRefreshableFamilies, type RefreshableFamily } from "./refreshable-family.store.ts";

// The request has no page. One page: the total tells of more.
const page = { offset: 0, limit: 1000 };

/** Lists what applications may renew for the caller, newest first; never the tokens themselves. */
export function listOwnRefreshTokens(
  deps: { readonly database: Database },
  call: Call,
): Promise<List<RefreshableFamily>> {
  const { userId } = requireCaller(call);
  return listRefreshableFamilies(deps.database.read, call.instanceId, { userId, now: call.now, page });
}
