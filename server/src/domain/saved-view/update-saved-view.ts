import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { updateView, type ViewChange } from "./saved-view.store.ts";
import { checkSavedView, ownerOf, type SavedView } from "./saved-view.ts";

/** Changes what is given of a view of the caller. Throws the Fault `saved_view.not_found`. */
export function updateSavedView(
  deps: { readonly database: Database },
  call: Call,
  input: ViewChange,
): Promise<SavedView> {
  const userId = ownerOf(call);
  checkSavedView(input);
  return deps.database.touch(call, async (tx) => {
    const view = await updateView(tx, userId, input);
    if (view === undefined) throw new Fault("not_found", "saved_view.not_found", { field: "id" });
    return view;
  });
}
