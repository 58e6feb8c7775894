import type { Call } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import { listViewRows } from "./saved-view.store.ts";
import { ownerOf, type SavedView } from "./saved-view.ts";

/** Lists the views of the caller. */
export async function listSavedViews(
  deps: { readonly database: Database },
  call: Call,
  wanted: { readonly page: Page; readonly isDescending: boolean },
): Promise<List<SavedView>> {
  return listViewRows(deps.database.read, call.instanceId, { ...wanted, userId: ownerOf(call) });
}
