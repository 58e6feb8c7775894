import type { Instant } from "../../base/clock.ts";
import type { Reader } from "../../database/index.ts";
import { readAuthorOfCredential } from "../user/index.ts";
import { findPasswordRow } from "./password.store.ts";

/**
 * Returns the author of a user's password, as it is stored (empty where the user alone knows it), and when it was set;
 * undefined where there is not a password.
 */
export async function findPasswordAuthor(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<{ readonly author: string; readonly madeAt: Instant | null } | undefined> {
  const row = await findPasswordRow(reader, instanceId, userId);
  if (row === undefined || row.passwordHash === null) return undefined;
  return { author: readAuthorOfCredential(row.passwordAuthor, row.organizationId), madeAt: row.passwordChangedAt };
}
