import { createCache, type Database } from "../../database/index.ts";
import { findAvatarByName } from "./avatar.store.ts";
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

interface Kept extends Avatar {
  readonly instanceId: string;
  readonly userId: string;
}

const mostBytes = 16 * 1024 * 1024;

/**
 * Creates the finder of pictures for any caller. A picture that is not read to the end is kept until its connection
 * closes, so all of them are the same bytes.
 */
export function createFindSharedAvatar({ database }: { readonly database: Database }): FindSharedAvatar {
  const cache = createCache<Kept>(database, {
    load: async (key) => {
      const [instanceId = "", fileName = ""] = key.split("\n");
      const found = await findAvatarByName(database.read, instanceId, fileName);
      if (found === undefined) return undefined;
      const { userId, contentType, content } = found;
      return { instanceId, userId, contentType, bytes: Buffer.from(content, "base64") };
    },
    aggregateTypes: ["user", "instance"],
    isStaleAfter: ({ aggregateType, aggregateId, ...event }, { instanceId, userId }) =>
      event.instanceId === instanceId && (aggregateType === "instance" || aggregateId === userId),
    maximum: 1_000,
    lengthOf: ({ bytes }) => bytes.length,
    mostCharacters: mostBytes,
  });
  return async (instanceId, fileName) => cache.get(`${instanceId}\n${fileName}`);
}
