import {
  deleteAll,
  type List,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import type { SavedView } from "./saved-view.ts";

const columns: Sql = text(`view_id as "viewId", list, name, search, created_at as "createdAt",
  changed_at as "changedAt"`);

export function insertView(tx: Tx, userId: string, view: SavedView): void {
  tx.write(sql`insert into saved_views (instance_id, user_id, view_id, list, name, search, created_at, changed_at)
    values (${tx.instanceId}, ${userId}, ${view.viewId}, ${view.list}, ${view.name}, ${view.search}, ${view.createdAt},
      ${view.changedAt})`);
}

export async function countViewsOfUser(tx: Tx, userId: string): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from saved_views
    where instance_id = ${tx.instanceId} and user_id = ${userId}`);
  return Number(row?.count ?? 0);
}

/** What is changed of a view; the rest stays. */
export interface ViewChange {
  readonly viewId: string;
  readonly name?: string;
  readonly search?: string;
}

/** Changes a view of a user. Returns it as it is then; undefined when the user has no such view. */
export function updateView(
  tx: Tx,
  userId: string,
  { viewId, name, search }: ViewChange,
): Promise<SavedView | undefined> {
  const newName = name === undefined ? sql`` : sql`, name = ${name}`;
  const newSearch = search === undefined ? sql`` : sql`, search = ${search}`;
  return tx.maybe<SavedView>(sql`update saved_views set changed_at = ${tx.now} ${newName} ${newSearch}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and view_id = ${viewId} returning ${columns}`);
}

/** Deletes a view of a user. Returns whether there was one. */
export async function deleteView(tx: Tx, userId: string, viewId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from saved_views
    where instance_id = ${tx.instanceId} and user_id = ${userId} and view_id = ${viewId}`);
  return count > 0;
}

/** Returns one page of the views of a user, by their creation. */
export function listViewRows(
  reader: Reader,
  instanceId: string,
  wanted: { readonly userId: string; readonly page: Page; readonly isDescending: boolean },
): Promise<List<SavedView>> {
  const { userId, page, isDescending } = wanted;
  return readList<SavedView>(reader, {
    columns,
    from: text("saved_views"),
    where: [sql`instance_id = ${instanceId} and user_id = ${userId}`],
    orderBy: text("created_at"),
    id: text("view_id"),
    isDescending,
    page,
  });
}

/** Step: deletes the views of users who are being deleted. */
export function deleteSavedViewsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("saved_views"), where });
}
