import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdUser } from "../user/index.ts";
import { countViewsOfUser, insertView } from "./saved-view.store.ts";
import { checkSavedView, mostOfUser, ownerOf, type SavedView } from "./saved-view.ts";

/** Saves a view for the caller. Throws the Fault `saved_view.too_many` when they have as many as a user may. */
export function createSavedView(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: Pick<SavedView, "list" | "name" | "search">,
): Promise<SavedView> {
  const userId = ownerOf(call);
  checkSavedView(input);
  return deps.database.touch(call, async (tx) => {
    // Alone, so that the count is right.
    if ((await holdUser(tx, userId)) === undefined) throw new Fault("not_found", "user.not_found");
    if ((await countViewsOfUser(tx, userId)) >= mostOfUser) {
      throw new Fault("resource_exhausted", "saved_view.too_many", { values: { maximum: mostOfUser } });
    }
    const { list, name, search } = input;
    const view = { viewId: deps.newId(), list, name, search, createdAt: tx.now, changedAt: tx.now };
    insertView(tx, userId, view);
    return view;
  });
}
