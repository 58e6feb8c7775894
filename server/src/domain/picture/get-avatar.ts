import type { Database } from "../../database/index.ts";
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
