import { deleteAll, type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import { type IdentityIntent, type IntentState, timeAtProvider, timeToFetch } from "./identity-intent.ts";

/** The columns of an attempt. */
export const intentColumns =
  text(`intent_id as "intentId", identity_provider_id as "identityProviderId", state, speaker, browser_hash as "browserHash",
  auth_request_id as "authRequestId", success_url as "successUrl", failure_url as "failureUrl", redirect_uri as "redirectUri",
  sealed_request as "sealedRequest", external_user_id as "externalUserId", external_username as "externalUsername",
  sealed_identity as "sealedIdentity", device_authorization_id as "deviceAuthorizationId", goal, organization_id as "organizationId", state_spent_at as "stateSpentAt", failure,
  wants_link as "wantsLink", sealed_answer as "sealedAnswer", link_user_id as "linkUserId", starter_id as "starterId", created_at as "createdAt", expires_at as "expiresAt", sequence`);

export interface NewIntentRow {
  readonly intentId: string;
  readonly identityProviderId: string;
  readonly speaker: string;
  readonly stateHash: string;
  readonly browserHash: string | undefined;
  readonly authRequestId: string | undefined;
  readonly deviceAuthorizationId: string | undefined;
  readonly goal: string | undefined;
  readonly organizationId: string | undefined;
  readonly successUrl: string | undefined;
  readonly failureUrl: string | undefined;
  readonly redirectUri: string;
  readonly sealedRequest: string;
  readonly linkUserId: string | undefined;
  readonly starterId: string | undefined;
  readonly expiresAt: number;
  /** Why it ended before the browser was sent to the provider. */
  readonly failure?: string | undefined;
}

// All of them are moved when the browser gets another secret, and none may stay behind with the former one.
const mostOfBrowser = 50;

/** Stores an attempt. Of a browser the newest stay: those that one more leaves no room for end. */
export function insertIntent(tx: Tx, intent: NewIntentRow): void {
  if (intent.browserHash !== undefined) {
    tx.write(sql`delete from identity_intents where instance_id = ${tx.instanceId} and intent_id in (
      select intent_id from identity_intents
        where instance_id = ${tx.instanceId} and browser_hash = ${intent.browserHash}
        order by created_at desc, intent_id desc limit 1000 offset ${mostOfBrowser - 1})`);
  }
  const state = intent.failure === undefined ? "started" : "failed";
  tx.write(sql`insert into identity_intents (instance_id, intent_id, identity_provider_id, speaker, state, state_hash, browser_hash,
      auth_request_id, success_url, failure_url, redirect_uri, sealed_request, device_authorization_id, goal, organization_id, link_user_id, starter_id, failure,
      created_at, expires_at, sequence)
    values (${tx.instanceId}, ${intent.intentId}, ${intent.identityProviderId}, ${intent.speaker}, ${state}, ${intent.stateHash},
      ${intent.browserHash}, ${intent.authRequestId}, ${intent.successUrl}, ${intent.failureUrl}, ${intent.redirectUri},
      ${intent.sealedRequest}, ${intent.deviceAuthorizationId}, ${intent.goal}, ${intent.organizationId}, ${intent.linkUserId}, ${intent.starterId}, ${intent.failure},
      ${tx.now}, ${intent.expiresAt}, ${state === "failed" ? 2 : 1})`);
}

/**
 * Stores an answer for an attempt that waits for one; the first answer stays. The attempt ends soon unless its browser
 * comes for the answer (`consumeState`). False when it waits for none.
 */
export async function putSealedAnswer(
  tx: Tx,
  { intentId, sealedAnswer }: { readonly intentId: string; readonly sealedAnswer: string },
): Promise<boolean> {
  const end = tx.now + timeToFetch;
  const count = await tx.run(sql`update identity_intents set sealed_answer = ${sealedAnswer},
      expires_at = case when expires_at > ${end} then ${end} else expires_at end
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and sealed_answer is null and state = 'started'
      and state_spent_at is null and expires_at > ${tx.now}`);
  return count === 1;
}

/** Removes the answers that wait for a browser and request, other than that of this attempt. */
export async function dropOtherAnswers(
  tx: Tx,
  { intentId, browserHash, authRequestId }: Pick<IdentityIntent, "intentId" | "browserHash" | "authRequestId">,
): Promise<void> {
  if (browserHash === null) return;
  const request = authRequestId === null ? sql`auth_request_id is null` : sql`auth_request_id = ${authRequestId}`;
  await tx.run(sql`update identity_intents set sealed_answer = null
    where instance_id = ${tx.instanceId} and browser_hash = ${browserHash} and ${request} and intent_id <> ${intentId}
      and sealed_answer is not null and state = 'started' and state_spent_at is null`);
}

/**
 * Spends the state that a browser returned, and returns its attempt. Only its own browser can spend the state of an
 * attempt of the hosted login. Undefined for a state that is unknown, spent or expired; with `isKept` also when no
 * answer was posted before.
 */
export function consumeState(
  tx: Tx,
  { stateHash, browserHash, isKept }: StateKey,
): Promise<IdentityIntent | undefined> {
  const hasAnswer = isKept ? sql`and sealed_answer is not null` : sql``;
  return tx.maybe<IdentityIntent>(sql`update identity_intents
    set state_spent_at = ${tx.now}, expires_at = created_at + ${timeAtProvider}
    where instance_id = ${tx.instanceId} and state_hash = ${stateHash} and state_spent_at is null and state = 'started'
      and expires_at > ${tx.now}
      and (browser_hash is null or browser_hash = ${browserHash ?? ""}) ${hasAnswer}
    returning ${intentColumns}`);
}

/** The state that a browser returned with. */
export interface StateKey {
  readonly stateHash: string;
  readonly browserHash: string | undefined;
  readonly isKept: boolean;
}

export interface SucceededIntent {
  readonly intentId: string;
  readonly tokenHash: string;
  readonly externalUserId: string;
  readonly externalUsername: string;
  readonly sealedIdentity: string;
  readonly expiresAt: number;
}

/** Stores what the provider reported. Returns the sequence; undefined when the attempt is no longer open. */
export async function markSucceeded(tx: Tx, given: SucceededIntent): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update identity_intents set state = 'succeeded',
      token_hash = ${given.tokenHash}, external_user_id = ${given.externalUserId}, external_username = ${given.externalUsername},
      sealed_identity = ${given.sealedIdentity}, sealed_answer = null, expires_at = ${given.expiresAt}, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${given.intentId} and state = 'started' returning sequence`);
  return row?.sequence;
}

/** Finds the attempt of a state, even if the state is spent or expired. */
export function findIntentOfState(
  reader: Reader,
  instanceId: string,
  stateHash: string,
): Promise<IdentityIntent | undefined> {
  return reader.maybe<IdentityIntent>(sql`select ${intentColumns} from identity_intents
    where instance_id = ${instanceId} and state_hash = ${stateHash}`);
}

/**
 * Ends a failed attempt: at the provider (`started`), or here (`succeeded`). Returns the sequence; undefined when it is
 * in another state.
 */
export async function markFailed(
  tx: Tx,
  { intentId, failure, from }: { readonly intentId: string; readonly failure: string; readonly from: IntentState },
): Promise<number | undefined> {
  const row = await tx.maybe<{
    sequence: number;
  }>(sql`update identity_intents set state = 'failed', failure = ${failure}, sealed_identity = null, sealed_answer = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and state = ${from} returning sequence`);
  return row?.sequence;
}

/** An attempt and the proof of its owner: its token, or on our own pages the browser. */
export type IntentKey = { readonly intentId: string } & (
  | { readonly tokenHash: string }
  | { readonly browserHash: string }
);

const isProven = (key: IntentKey) =>
  "tokenHash" in key ? sql`token_hash = ${key.tokenHash}` : sql`browser_hash = ${key.browserHash}`;

/** Finds the attempt of a token or browser while it is usable. */
export function findUsableIntent(
  reader: Reader,
  instanceId: string,
  key: IntentKey,
  now: number,
): Promise<IdentityIntent | undefined> {
  return reader.maybe<IdentityIntent>(sql`select ${intentColumns} from identity_intents
    where instance_id = ${instanceId} and intent_id = ${key.intentId} and ${isProven(key)} and state = 'succeeded'
      and expires_at > ${now}`);
}

/** Records which user read what the provider reported. */
export async function markRetrieved(tx: Tx, key: IntentKey & { readonly retrieverId: string }): Promise<void> {
  await tx.run(sql`update identity_intents set retriever_id = ${key.retrieverId}
    where instance_id = ${tx.instanceId} and intent_id = ${key.intentId} and ${isProven(key)} and state = 'succeeded'`);
}

/**
 * Consumes an attempt and deletes what the provider reported. Returns the sequence; undefined when a concurrent call
 * consumed it first.
 */
export async function consumeIntent(tx: Tx, key: IntentKey): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update identity_intents
    set state = 'consumed', sealed_identity = null, external_user_id = null, external_username = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = ${key.intentId} and ${isProven(key)} and state = 'succeeded'
      and expires_at > ${tx.now} returning sequence`);
  return row?.sequence;
}

/**
 * Consumes an attempt in which this user proved ownership of the account, as a proof; the attempt must not have been
 * consumed.
 */
export function consumeProof(
  tx: Tx,
  proof: {
    readonly userId: string;
    readonly identityProviderId: string;
    readonly externalUserId: string;
    readonly speaker: string;
  },
): Promise<{ readonly intentId: string; readonly sequence: number } | undefined> {
  return tx.maybe(sql`update identity_intents set retriever_id = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and intent_id = (
      select min(i.intent_id) from identity_intents i where i.instance_id = ${tx.instanceId} and i.retriever_id = ${proof.userId}
        and i.identity_provider_id = ${proof.identityProviderId} and i.external_user_id = ${proof.externalUserId}
        and i.speaker = ${proof.speaker} and i.state = 'succeeded' and i.expires_at > ${tx.now})
      and retriever_id = ${proof.userId}
    returning intent_id as "intentId", sequence`);
}

/** Step: deletes the attempts that are under way at a provider that is being deleted. */
export async function deleteIntentsOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}`;
  await deleteAll(tx, { table: text("identity_intents"), where });
}

/**
 * Step: deletes the attempts that users who are being deleted have proven or begun, or that would have linked an
 * account to them.
 */
export async function deleteIntentsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const table = text("identity_intents");
  for (const column of [text("retriever_id"), text("link_user_id"), text("starter_id")]) {
    await deleteAll(tx, { table, where: sql`instance_id = ${tx.instanceId} and ${column} in ${list(userIds)}` });
  }
}

/** Moves the attempts of a browser, which are few (`insertIntent`), to its new secret. */
export async function moveIntents(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await tx.run(sql`update identity_intents set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from}`);
}

/** Attempts that expired before the instant, with a posted answer that was not read. */
export const unreadAnswers = (before: number): EndedRows => ({
  table: text("identity_intents"),
  where: () => sql`expires_at < ${before} and sealed_answer is not null`,
});

/** Attempts that expired before the instant. */
export const expiredIntents = (before: number): EndedRows => ({
  table: text("identity_intents"),
  where: () => sql`expires_at < ${before}`,
});
