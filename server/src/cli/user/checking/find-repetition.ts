import { type Loss, UserRefused } from "../sources/source.ts";
import type { PreparedUser } from "./prepare-user.ts";

/** Numbers of entries by their texts; the first one with a text counts. */
export interface EntryTable {
  get(text: string): number | undefined;
  add(text: string, entry: number): void;
}

/**
 * Returns a check for users who are in the files twice. It throws `UserRefused` for an id or username of an earlier
 * entry, and returns a loss for an email address that two users share.
 */
export function createRepetitionCheck(
  createTable: () => EntryTable,
): (user: PreparedUser, entry: number) => readonly Loss[] {
  const tables = { id: createTable(), username: createTable(), email: createTable() };
  return ({ id, usernameKey, emailKey }, entry) => {
    const earlier = id === undefined ? undefined : tables.id.get(id);
    if (earlier !== undefined) throw new UserRefused("id", `entry ${earlier} of the files has the same id`);
    const namesake = tables.username.get(usernameKey);
    if (namesake !== undefined)
      throw new UserRefused("username", `entry ${namesake} of the files has the same username`);
    if (id !== undefined) tables.id.add(id, entry);
    tables.username.add(usernameKey, entry);
    const sharer = tables.email.get(emailKey);
    tables.email.add(emailKey, entry);
    if (sharer === undefined) return [];
    return [{ field: "email", what: "changed", why: `entry ${sharer} of the files has the same address` }];
  };
}
