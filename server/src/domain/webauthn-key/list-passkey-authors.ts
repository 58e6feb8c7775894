import type { Reader } from "../../database/index.ts";
import { findUserScope, readAuthorOfCredential } from "../user/index.ts";
import { listStoredPasskeyAuthors } from "./key-credential.store.ts";

/** Lists the authors of a user's passkeys, as they are stored: empty for one that the user alone registered. */
export async function listPasskeyAuthors(reader: Reader, instanceId: string, userId: string): Promise<string[]> {
  const stored = await listStoredPasskeyAuthors(reader, instanceId, userId);
  if (stored.length === 0) return [];
  const { organizationId = "" } = (await findUserScope(reader, instanceId, userId)) ?? {};
  return stored.map((author) => readAuthorOfCredential(author, organizationId));
}
