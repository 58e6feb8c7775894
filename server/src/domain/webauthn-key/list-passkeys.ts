import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeUser, readUser } from "../user/index.ts";
import { listCredentialsOfUser } from "./key-credential.store.ts";
import type { KeyCredential } from "./key-credential.ts";

/** Lists the passkeys of a user, including incomplete registrations, for callers who may read the user. */
export async function listPasskeys(
  deps: { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<readonly KeyCredential[]> {
  const { read } = deps.database;
  await authorizeUser(read, call, userId, readUser);
  const all = await listCredentialsOfUser(read, call.instanceId, userId);
  return all.filter(({ kind }) => kind === "passkey");
}
