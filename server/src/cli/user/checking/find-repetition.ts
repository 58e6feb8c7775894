import type { Random } from "../../../base/random.ts";
import { type Loss, UserRefused } from "../sources/source.ts";
import { createDigestTable } from "./digest-table.ts";
import type { PreparedUser } from "./prepare-user.ts";

/**
 * Returns a check for users who are in the files twice. It throws `UserRefused` for an id or username of an earlier
 * entry, and returns a loss for an email address that two users share.
 */
export function createRepetitionCheck(random: Random): (user: PreparedUser, entry: number) => readonly Loss[] {
  const tables = {
    id: createDigestTable(random),
    username: createDigestTable(random),
    email: createDigestTable(random),
  };
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
