import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { shownSince } from "../instance/index.ts";
import { findEvents } from "./event-list.store.ts";
import type { EventSearch, ListedEvent } from "./event-search.ts";

/** Lists events of the instance ordered by time, for callers who may read all of them. */
export async function listEvents(
  deps: { readonly database: Database },
  call: Call,
  search: EventSearch,
): Promise<ListedEvent[]> {
  requirePermission(call, "events.read", {});
  const { read } = deps.database;
  const since = await shownSince(read, call, search.time.since);
  return findEvents(read, call.instanceId, { ...search, time: { ...search.time, since } });
}
