import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteView } from "./saved-view.store.ts";
import { ownerOf } from "./saved-view.ts";

/** Deletes a view of the caller. Returns whether there was one. */
export function deleteSavedView(
  deps: { readonly database: Database },
  call: Call,
  { viewId }: { readonly viewId: string },
): Promise<boolean> {
  const userId = ownerOf(call);
  return deps.database.touch(call, (tx) => deleteView(tx, userId, viewId));
}
