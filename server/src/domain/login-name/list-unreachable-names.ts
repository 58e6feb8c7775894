import { addressKey } from "../../base/names/address-key.ts";
import type { Reader } from "../../database/index.ts";
import { type KeysOfUser, listOddKeys } from "./unreachable-name.store.ts";

/**
 * Lists users whose username or address does not identify them, because an earlier user had it when all spellings of a
 * domain became one (migration 124).
 */
export async function listUnreachableNames(
  reader: Reader,
): Promise<Pick<KeysOfUser, "userId" | "organizationId" | "username">[]> {
  const users = await listOddKeys(reader);
  return users.filter(
    ({ username, usernameKey, email, emailKey }) =>
      addressKey(username) !== usernameKey || (email !== null && addressKey(email) !== emailKey),
  );
}
