import type { Call } from "../../call/index.ts";
import type { Database, Page } from "../../database/index.ts";
import { viewerOf } from "./get-session.ts";
import { listVisibleSessions, type ReadSession, type SessionFilter } from "./session-list.store.ts";

export interface ListSessions {
  readonly filters: readonly SessionFilter[];
  readonly page: Page;
  readonly isDescending: boolean;
}

/** Lists the sessions that the caller may see and that were not ended. */
export async function listSessions(
  deps: { readonly database: Database },
  call: Call,
  input: ListSessions,
): Promise<{ readonly sessions: readonly ReadSession[]; readonly total: number }> {
  const wanted = { ...input, viewer: viewerOf(call) };
  const { rows, total } = await listVisibleSessions(deps.database.read, call.instanceId, wanted);
  return { sessions: rows, total };
}
