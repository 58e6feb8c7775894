import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, recordUserEvent, writeOwnData } from "../user/index.ts";
import { deleteUserKey } from "./user-key.store.ts";

/** Removes a key of a service account: what it signed is refused from now on. Succeeds if the key does not exist. */
export function removeUserKey(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly keyId: string },
): Promise<void> {
  return deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOwnData(deps));
    if (!(await deleteUserKey(tx, input.userId, input.keyId))) return;
    await recordUserEvent(tx, user, { type: "user.key.removed", payload: { keyId: input.keyId } });
  });
}
