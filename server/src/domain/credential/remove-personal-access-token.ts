import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, recordUserEvent, writeOwnData } from "../user/index.ts";
import { deletePersonalAccessToken } from "./personal-access-token.store.ts";

/** Removes a personal access token, effective at once; succeeds if it does not exist. Returns details of the user. */
export function removePersonalAccessToken(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly tokenId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOwnData(deps));
    if (!(await deletePersonalAccessToken(tx, input.userId, input.tokenId))) return user.details;
    const sequence = await recordUserEvent(tx, user, {
      type: "user.personal_access_token.removed",
      payload: { tokenId: input.tokenId },
    });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
