import { deleteBatch, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { IdentityIntent } from "./identity-intent.ts";

const columns =
  text(`intent_id as "intentId", identity_provider_id as "identityProviderId", state, browser_hash as "browserHash",
  auth_request_id as "authRequestId", success_url as "successUrl", failure_url as "failureUrl", redirect_uri as "redirectUri",
  sealed_request as "sealedRequest", external_user_id as "externalUserId", external_username as "externalUsername",
  sealed_identity as "sealedIdentity", device_authorization_id as "deviceAuthorizationId", created_at as "createdAt", expires_at as "expiresAt", sequence`);

export interface NewIntentRow {
  readonly intentId: string;
  readonly identityProviderId: string;
  readonly stateHash: string;
  readonly browserHash: string | undefined;
  readonly authRequestId: string | undefined;
  readonly deviceAuthorizationId: string | undefined;
  readonly successUrl: string | undefined;
  readonly failureUrl: string | undefined;
  readonly redirectUri: string;
  readonly sealedRequest: string;
  readonly expiresAt: number;
}

export function insertIntent(tx: Tx, intent: NewIntentRow): void {
  tx.write(sql`insert into identity_intents (instance_id, intent_id, identity_provider_id, state, state_hash, browser_hash,
      auth_request_id, success_url, failure_url, redirect_uri, sealed_request, device_authorization_id, created_at, expires_at, sequence)
    values (${tx.instanceId}, ${intent.intentId}, ${intent.identityProviderId}, 'started', ${intent.stateHash},
      ${intent.browserHash}, ${intent.authRequestId}, ${intent.successUrl}, ${intent.failureUrl}, ${intent.redirectUri},
      ${intent.sealedRequest}, ${intent.deviceAuthorizationId}, ${tx.now}, ${intent.expiresAt}, 1)`);
}

/**
 * Spends the state that a browser brought back, and tells which attempt it was for. One of the hosted login only its own browser can spend.
 * Undefined for a state that was never given out, was spent, or is too old.
 */
export function consumeState(
  tx: Tx,
  { stateHash, browserHash }: { readonly stateHash: string; readonly browserHash: string | undefined },
): Promise<IdentityIntent | undefined> {
  return tx.maybe<IdentityIntent>(sql`update identity_intents set state_hash = null
    where instance_id = ${tx.instanceId} and state_hash = ${stateHash} and state = 'started' and expires_at > ${tx.now}
      and (browser_hash is null or browser_hash = ${browserHash ?? ""})
    returning ${columns}`);
}

export interface SucceededIntent {
  readonly intentId: string;
  readonly tokenHash: string;
  readonly externalUserId: string;
  readonly externalUsername: string;
  readonly sealedIdentity: string;
  readonly expiresAt: number;
}

/** Writes what the provider said. Returns the sequence; undefined when the attempt is gone. */
export async function markSucceeded(tx: Tx, given: SucceededIntent): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update identity_intents set state = 'succeeded',
      token_hash = ${given.tokenHash}, external_user_id = ${given.externalUserId}, external_username = ${given.externalUsername},
      sealed_identity = ${given.sealedIdentity}, expires_at = ${given.expiresAt}, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${given.intentId} and state = 'started' returning sequence`);
  return row?.sequence;
}

/** Ends an attempt that came to nothing. Returns the sequence; undefined when it is gone. */
export async function markFailed(tx: Tx, intentId: string): Promise<number | undefined> {
  const row = await tx.maybe<{
    sequence: number;
  }>(sql`update identity_intents set state = 'failed', sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and state = 'started' returning sequence`);
  return row?.sequence;
}

interface IntentKey {
  readonly intentId: string;
  readonly tokenHash: string;
}

/** The attempt of a token, as long as it may be used. */
export function findUsableIntent(
  reader: Reader,
  instanceId: string,
  { intentId, tokenHash }: IntentKey,
  now: number,
): Promise<IdentityIntent | undefined> {
  return reader.maybe<IdentityIntent>(sql`select ${columns} from identity_intents
    where instance_id = ${instanceId} and intent_id = ${intentId} and token_hash = ${tokenHash} and state = 'succeeded'
      and expires_at > ${now}`);
}

/** Notes who read what the provider said. */
export async function markRetrieved(
  tx: Tx,
  { intentId, tokenHash, retrieverId }: IntentKey & { readonly retrieverId: string },
): Promise<void> {
  await tx.run(sql`update identity_intents set retriever_id = ${retrieverId}
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and token_hash = ${tokenHash} and state = 'succeeded'`);
}

/** Uses an attempt up. What the provider said is forgotten. Returns the sequence; undefined when somebody else was faster. */
export async function consumeIntent(tx: Tx, { intentId, tokenHash }: IntentKey): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update identity_intents
    set state = 'consumed', sealed_identity = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and token_hash = ${tokenHash} and state = 'succeeded'
      and expires_at > ${tx.now} returning sequence`);
  return row?.sequence;
}

/** An attempt in which this user proved that the account is his, and that nobody used up; spent by this. */
export function consumeProof(
  tx: Tx,
  proof: { readonly userId: string; readonly identityProviderId: string; readonly externalUserId: string },
): Promise<{ readonly intentId: string; readonly sequence: number } | undefined> {
  return tx.maybe(sql`update identity_intents set retriever_id = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = (
      select min(i.intent_id) from identity_intents i where i.instance_id = ${tx.instanceId} and i.retriever_id = ${proof.userId}
        and i.identity_provider_id = ${proof.identityProviderId} and i.external_user_id = ${proof.externalUserId}
        and i.state = 'succeeded' and i.expires_at > ${tx.now})
      and retriever_id = ${proof.userId}
    returning intent_id as "intentId", sequence`);
}

/** Step: forgets what is under way at a provider that is deleted. */
export async function deleteIntentsOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  await tx.run(sql`delete from identity_intents
    where instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}`);
}

/** Forgets what a user who is deleted has proven. */
export async function deleteIntentsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from identity_intents where instance_id = ${tx.instanceId} and retriever_id = ${userId}`);
}

/** Attempts of a browser go on under its new secret. */
export async function moveIntents(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await tx.run(sql`update identity_intents set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from}`);
}

/** Step for the job that removes what has expired, of all instances at once: at most `limit` attempts. */
export function deleteExpiredIntents(tx: Tx, before: number, limit: number): Promise<number> {
  const key = text("instance_id, intent_id");
  return deleteBatch(tx, { table: text("identity_intents"), key, where: sql`expires_at < ${before}`, limit });
}
