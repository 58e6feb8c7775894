import { list, type Reader, type Sql, sql, type Tx } from "../../database/index.ts";
import { intentColumns } from "./identity-intent.store.ts";
import type { IdentityIntent } from "./identity-intent.ts";

/** An attempt on our own pages belongs to its browser. */
export interface HostedIntentKey {
  readonly intentId: string;
  readonly browserHash: string;
}

/** Finds an attempt of this browser, in any state, until it expires. */
export function findHostedIntent(
  reader: Reader,
  instanceId: string,
  { intentId, browserHash }: HostedIntentKey,
  now: number,
): Promise<IdentityIntent | undefined> {
  return reader.maybe<IdentityIntent>(sql`select ${intentColumns} from identity_intents
    where instance_id = ${instanceId} and intent_id = ${intentId} and browser_hash = ${browserHash} and expires_at > ${now}`);
}

/**
 * Finds the newest attempt of this browser, for this request or for none, with an account that is to be linked to the
 * user who signs in next.
 */
export function findWantedLink(
  reader: Reader,
  instanceId: string,
  { browserHash, authRequestId }: { readonly browserHash: string; readonly authRequestId: string | undefined },
  now: number,
): Promise<IdentityIntent | undefined> {
  const request = authRequestId === undefined ? sql`auth_request_id is null` : sql`auth_request_id = ${authRequestId}`;
  return reader.maybe<IdentityIntent>(sql`select ${intentColumns} from identity_intents
    where instance_id = ${instanceId} and browser_hash = ${browserHash} and ${request} and wants_link = 1
      and state = 'succeeded' and expires_at > ${now}
    order by created_at desc, intent_id desc limit 1`);
}

/** Records that the account is to be linked to an existing user; false when the attempt does not allow it. */
export async function setWantsLink(tx: Tx, { intentId, browserHash }: HostedIntentKey): Promise<boolean> {
  const count = await tx.run(sql`update identity_intents set wants_link = 1
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} and browser_hash = ${browserHash}
      and state = 'succeeded' and expires_at > ${tx.now}`);
  return count === 1;
}

/** An attempt that was ended, as its event names it. */
interface EndedIntent {
  readonly intentId: string;
  readonly sequence: number;
}

/** Ends the attempts of a browser whose answer waits. */
export const endAnswersOfBrowser = (tx: Tx, browserHash: string, failure: string): Promise<EndedIntent[]> =>
  endAnswers(tx, sql`browser_hash = ${browserHash}`, failure);

/** Ends the attempts whose answer waits in the browser that a session belongs to. */
export const endAnswersOfSession = (tx: Tx, sessionId: string, failure: string): Promise<EndedIntent[]> =>
  endAnswers(
    tx,
    sql`browser_hash = (select s.browser_hash from sessions s
      where s.instance_id = ${tx.instanceId} and s.session_id = ${sessionId})`,
    failure,
  );

/** Ends those of the given attempts whose answer waits, wherever they began. */
export const endAnswersOf = (tx: Tx, intentIds: readonly string[], failure: string): Promise<EndedIntent[]> =>
  endAnswers(tx, sql`intent_id in ${list(intentIds)}`, failure);

/** Ends the attempts at a provider in a browser whose answer was posted and not read yet. */
export const endUnreadAnswers = (
  tx: Tx,
  { browserHash, identityProviderId }: { readonly browserHash: string; readonly identityProviderId: string },
  failure: string,
): Promise<EndedIntent[]> =>
  endAnswers(
    tx,
    sql`browser_hash = ${browserHash} and identity_provider_id = ${identityProviderId} and state = 'started'`,
    failure,
  );

// An answer that was posted from another site waits before it is read.
const endAnswers = (tx: Tx, which: Sql, failure: string): Promise<EndedIntent[]> =>
  tx.all(sql`update identity_intents set state = 'failed', failure = ${failure}, sealed_identity = null,
      sealed_answer = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and ${which}
      and (state = 'succeeded' or (state = 'started' and sealed_answer is not null)) and expires_at > ${tx.now}
    returning intent_id as "intentId", sequence`);
