import type { Instant } from "../../base/clock.ts";
import { countUpTo, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { UserKind, UserState } from "../user/index.ts";

/** Everything that decides whether a presented token works, as it is now. */
export interface PresentedToken {
  readonly tokenId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly scope: string;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly userState: UserState;
  readonly userKind: UserKind;
  readonly organizationState: "active" | "inactive";
}

export async function insertPersonalAccessToken(
  tx: Tx,
  token: { tokenId: string; tokenHash: string; userId: string; scope: string; expiresAt: number; sequence: number },
): Promise<void> {
  await tx.run(sql`insert into personal_access_tokens (instance_id, token_id, token_hash, user_id, scope, expires_at, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${token.tokenId}, ${token.tokenHash}, ${token.userId}, ${token.scope}, ${token.expiresAt},
      ${token.sequence}, ${tx.now}, ${tx.now})`);
}

/** Counts the tokens of a user that are valid now, up to one more than a number. */
export function countPersonalAccessTokens(
  reader: Reader,
  instanceId: string,
  { userId, now, most }: { readonly userId: string; readonly now: Instant; readonly most: number },
): Promise<number> {
  const instance = sql`instance_id = ${instanceId} and user_id = ${userId} and expires_at > ${now}`;
  return countUpTo(reader, { from: text("personal_access_tokens"), instance }, most);
}

/**
 * Finds a presented token by its hash, or one by its id, with the states of its user and organization: the only
 * statement of an API call with it.
 */
export function findPersonalAccessToken(
  reader: Reader,
  instanceId: string,
  key: { readonly tokenHash: string } | { readonly tokenId: string },
): Promise<PresentedToken | undefined> {
  const is = "tokenHash" in key ? sql`t.token_hash = ${key.tokenHash}` : sql`t.token_id = ${key.tokenId}`;
  return reader.maybe<PresentedToken>(sql`select t.token_id as "tokenId", t.user_id as "userId",
      u.organization_id as "organizationId", t.scope, t.expires_at as "expiresAt", t.created_at as "createdAt",
      u.state as "userState", u.kind as "userKind", o.state as "organizationState"
    from personal_access_tokens t
    join users u on u.instance_id = t.instance_id and u.user_id = t.user_id
    join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where t.instance_id = ${instanceId} and ${is}`);
}

/** Removes a token of a user. Returns whether there was one. */
export async function deletePersonalAccessToken(tx: Tx, userId: string, tokenId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from personal_access_tokens
    where instance_id = ${tx.instanceId} and user_id = ${userId} and token_id = ${tokenId}`);
  return count > 0;
}
