import { type Reader, sql, type Tx } from "../../database/index.ts";
import { liveSession } from "../session/index.ts";
import type { CodeIssuance } from "./code-issuance.ts";

export function insertAuthorizationCode(
  tx: Tx,
  code: { codeHash: string; clientId: string; authRequestId: string; issuance: CodeIssuance; expiresAt: number },
): void {
  tx.write(sql`insert into authorization_codes (instance_id, code_hash, client_id, auth_request_id, user_id, issuance, created_at,
      expires_at, consumed_at, family_id)
    values (${tx.instanceId}, ${code.codeHash}, ${code.clientId}, ${code.authRequestId}, ${code.issuance.userId}, ${JSON.stringify(code.issuance)}, ${tx.now},
      ${code.expiresAt}, null, null)`);
}

/** A code that was spent. */
export interface SpentCode {
  readonly issuance: CodeIssuance;
  /** Whether tokens may still be issued for its session, where that was asked with the same statement. */
  readonly isSessionLive: boolean | undefined;
}

/**
 * Spends a code of the client for a family: the statement decides which caller wins, and records what a second use has
 * to revoke. On PostgreSQL it also asks for the session, which saves a trip; the embedded database has no such
 * statements and no trips.
 */
export async function consumeAuthorizationCode(
  tx: Tx,
  code: { readonly codeHash: string; readonly clientId: string; readonly familyId: string },
): Promise<SpentCode | undefined> {
  // No index has these expressions: a client may have many codes, and many may wait.
  const spending = sql`update authorization_codes
    set consumed_at = ${tx.now}, family_id = ${code.familyId}
    where instance_id = ${tx.instanceId} and code_hash = ${code.codeHash} and (client_id || '') = ${code.clientId}
      and coalesce(consumed_at, 0) = 0 and expires_at > ${tx.now}
    returning issuance`;
  const isTogether = tx.engine === "postgres";
  const row = await tx.decide<{ issuance: string; isSessionLive?: number | null }>(
    isTogether
      ? sql`with spent as (${spending}) select spent.issuance,
          (${liveSession(tx.instanceId, sql`(spent.issuance::json ->> 'sessionId')`)}) as "isSessionLive" from spent`
      : spending,
  );
  if (row === undefined) return undefined;
  const issuance = JSON.parse(row.issuance) as CodeIssuance;
  return { issuance, isSessionLive: isTogether ? row.isSessionLive === 1 : undefined };
}

/** Deletes the codes for a user that a client has not redeemed. */
export async function deleteWaitingCodes(
  tx: Tx,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
): Promise<void> {
  await tx.run(sql`delete from authorization_codes
    where instance_id = ${tx.instanceId} and user_id = ${userId} and client_id = ${clientId} and consumed_at is null`);
}

/** Makes a code that was spent for a family as good as before. */
export async function unspendAuthorizationCode(tx: Tx, codeHash: string, familyId: string): Promise<void> {
  await tx.run(sql`update authorization_codes set consumed_at = null, family_id = null
    where instance_id = ${tx.instanceId} and code_hash = ${codeHash} and family_id = ${familyId}`);
}

/** Finds the family that a spent code of this client was exchanged for. */
export async function findFamilyOfSpentCode(
  reader: Reader,
  instanceId: string,
  codeHash: string,
  clientId: string,
): Promise<string | undefined> {
  const row = await reader.maybe<{
    familyId: string | null;
  }>(sql`select family_id as "familyId" from authorization_codes
    where instance_id = ${instanceId} and code_hash = ${codeHash} and (client_id || '') = ${clientId} and consumed_at is not null`);
  return row?.familyId ?? undefined;
}
