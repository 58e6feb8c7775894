import { createBoundedMap } from "../../base/bounded-map.ts";
import type { Database } from "../../database/index.ts";
import { findAvatarByName, hasAvatar } from "./avatar.store.ts";
import type { Avatar } from "./avatar.ts";

/**
 * Finds the picture with this name in an instance. Knowing the name is enough: applications and pages show it publicly.
 */
export async function findAvatar(
  { database }: { readonly database: Database },
  instanceId: string,
  fileName: string,
): Promise<Avatar | undefined> {
  const found = await findAvatarByName(database.read, instanceId, fileName);
  return found && { contentType: found.contentType, bytes: Buffer.from(found.content, "base64") };
}

/** Finds the picture with this name in an instance; many readers share its bytes. */
export type FindSharedAvatar = (instanceId: string, fileName: string) => Promise<Avatar | undefined>;

const mostBytes = 16 * 1024 * 1024;

/**
 * Creates the finder of pictures for any caller. A picture that is not read to the end is kept until its connection
 * closes, so all of them are the same bytes. Every picture has a name of its own, so the bytes of a name never change;
 * whether there still is one is asked each time, also because other nodes do not hear of what happens to users.
 */
export function createFindSharedAvatar({ database }: { readonly database: Database }): FindSharedAvatar {
  const kept = createBoundedMap<Avatar>({ most: 1_000, mostSize: mostBytes, sizeOf: ({ bytes }) => bytes.length });
  return async (instanceId, fileName) => {
    const key = `${instanceId}\n${fileName}`;
    const known = kept.get(key);
    if (known === undefined) {
      const found = await findAvatar({ database }, instanceId, fileName);
      // Another reader may have found it meanwhile.
      const shared = kept.get(key) ?? found;
      if (found !== undefined && shared === found) kept.put(key, found);
      return found && shared;
    }
    if (await hasAvatar(database.read, instanceId, fileName)) return known;
    kept.delete(key);
    return undefined;
  };
}
