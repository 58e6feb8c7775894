import type { Reader } from "../../database/index.ts";
import { readAuthorOfCredential } from "../user/index.ts";
import { findPasswordRow } from "./password.store.ts";

/**
 * Returns the author of a user's password, as it is stored: empty where the user alone knows it, undefined where there
 * is not a password.
 */
export async function findPasswordAuthor(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<string | undefined> {
  const row = await findPasswordRow(reader, instanceId, userId);
  if (row === undefined || row.passwordHash === null) return undefined;
  return readAuthorOfCredential(row.passwordAuthor, row.organizationId);
}
