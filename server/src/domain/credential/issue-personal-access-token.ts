import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findUser, recordUserEvent } from "../user/index.ts";
import { parseExpiry } from "./expiry.ts";
import { insertPersonalAccessToken } from "./personal-access-token.store.ts";
import { personalAccessTokenScope } from "./personal-access-token.ts";

export interface IssuedToken {
  readonly tokenId: string;
  /** Shown now and never again; only its hash is stored. */
  readonly token: Secret;
  readonly expiresAt: number;
  readonly createdAt: number;
  /** Sequence of the user after the token was created. */
  readonly sequence: number;
}

/** Step: creates a personal access token for a service account; human users do not get any. */
export async function issuePersonalAccessToken(
  tx: Tx,
  deps: { readonly newId: IdGenerator; readonly random: Random },
  input: { readonly userId: string; readonly expiresAt?: number | undefined },
): Promise<IssuedToken> {
  const expiresAt = parseExpiry(input.expiresAt, tx.now);
  const user = await findUser(tx, tx.instanceId, input.userId);
  if (user === undefined) throw new Fault("not_found", "user.not_found", { field: "userId" });
  if (user.kind !== "machine") throw new Fault("failed_precondition", "user.not_machine", { field: "userId" });
  const tokenId = deps.newId();
  const token = generateToken("personalAccessToken", deps.random);
  const sequence = await recordUserEvent(tx, user, {
    type: "user.personal_access_token.added",
    payload: { tokenId, expiresAt },
  });
  await insertPersonalAccessToken(tx, {
    tokenId,
    tokenHash: hashSecret(token),
    userId: input.userId,
    scope: personalAccessTokenScope,
    expiresAt,
    sequence,
  });
  return { tokenId, token, expiresAt, createdAt: tx.now, sequence };
}
