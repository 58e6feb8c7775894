import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, writeOwn } from "../user/index.ts";
import { parseExpiry } from "./expiry.ts";
import { type IssuedToken, issuePersonalAccessToken } from "./issue-personal-access-token.ts";
import { refuseOutlasting } from "./refuse-outlasting.ts";
import { refuseTooMany } from "./refuse-too-many.ts";

/**
 * Creates a personal access token for a service account: for callers who may write the account, and the account itself,
 * which gets none that outlasts the token that it presents.
 */
export function addPersonalAccessToken(
  deps: AuthorizeDeps & { readonly database: Database; readonly newId: IdGenerator; readonly random: Random },
  call: Call,
  input: { readonly userId: string; readonly expiresAt?: number | undefined },
): Promise<IssuedToken> {
  return deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOwn(deps));
    const expiresAt = parseExpiry(input.expiresAt, tx.now);
    refuseOutlasting(call, user, { expiresAt, field: "expirationDate" });
    await refuseTooMany(tx, tx, { userId: input.userId, field: "tokens" });
    return issuePersonalAccessToken(tx, deps, input);
  });
}
