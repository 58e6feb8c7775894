import { type EndedRows, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { AuthRequest, AuthRequestParameters } from "./auth-request.ts";

const columns =
  text(`auth_request_id as "authRequestId", client_id as "clientId", application_id as "applicationId", parameters,
  session_id as "sessionId", consented_session_id as "consentedSessionId", impersonation_id as "impersonationId", declined_at as "declinedAt", created_at as "createdAt", expires_at as "expiresAt"`);

/** A stored request. */
export interface AuthRequestRow {
  readonly authRequestId: string;
  readonly clientId: string;
  readonly applicationId: string;
  readonly parameters: string;
  readonly sessionId: string | null;
  readonly consentedSessionId: string | null;
  readonly impersonationId: string | null;
  readonly declinedAt: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Returns the request of a row, which may have columns of other tables besides. */
export const toAuthRequest = (row: AuthRequestRow): AuthRequest => ({
  authRequestId: row.authRequestId,
  clientId: row.clientId,
  applicationId: row.applicationId,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  parameters: JSON.parse(row.parameters) as AuthRequestParameters,
  sessionId: row.sessionId ?? undefined,
  consentedSessionId: row.consentedSessionId ?? undefined,
  impersonationId: row.impersonationId ?? undefined,
  declinedAt: row.declinedAt ?? undefined,
});

// All that wait are moved when the browser gets another secret, and none may stay behind with the former one.
const mostOfBrowser = 50;

/**
 * Stores an authorization request until it is answered or expires. Of a browser the newest wait: those that one more
 * leaves no room for end.
 */
export function insertAuthRequest(
  tx: Tx,
  request: {
    authRequestId: string;
    clientId: string;
    applicationId: string;
    browserHash: string | undefined;
    parameters: AuthRequestParameters;
    /** A session of this browser that is to answer the request, when one was chosen already. */
    sessionId: string | undefined;
    expiresAt: number;
  },
): void {
  const { browserHash } = request;
  if (browserHash !== undefined) {
    const oldest = sql`(select auth_request_id from auth_requests
      where instance_id = ${tx.instanceId} and browser_hash = ${browserHash} and answered_at is null
      order by created_at desc, auth_request_id desc limit 1000 offset ${mostOfBrowser - 1})`;
    // With the sign-ins that were begun for them: so a browser has no more of these either.
    tx.write(sql`delete from sign_ins where instance_id = ${tx.instanceId} and browser_hash = ${browserHash}
      and auth_request_id in ${oldest}`);
    tx.write(sql`delete from auth_requests where instance_id = ${tx.instanceId} and auth_request_id in ${oldest}`);
  }
  tx.write(sql`insert into auth_requests (instance_id, auth_request_id, client_id, application_id, browser_hash, parameters, session_id,
      created_at, expires_at, answered_at)
    values (${tx.instanceId}, ${request.authRequestId}, ${request.clientId}, ${request.applicationId}, ${browserHash},
      ${JSON.stringify(request.parameters)}, ${request.sessionId}, ${tx.now}, ${request.expiresAt}, null)`);
}

/** Finds a request that is not answered yet, in whichever browser it was made: for login clients that call the API. */
export async function findOpenAuthRequest(
  reader: Reader,
  instanceId: string,
  authRequestId: string,
  now: number,
): Promise<AuthRequest | undefined> {
  const row = await reader.maybe<AuthRequestRow>(sql`select ${columns} from auth_requests
    where instance_id = ${instanceId} and auth_request_id = ${authRequestId} and answered_at is null and expires_at > ${now}`);
  return row && toAuthRequest(row);
}

/** Finds a request of this browser that is not answered yet. */
export async function findBrowserAuthRequest(
  reader: Reader,
  instanceId: string,
  key: { readonly authRequestId: string; readonly browserHash: string },
  now: number,
): Promise<AuthRequest | undefined> {
  const row = await reader.maybe<AuthRequestRow>(openRequestOfBrowser(instanceId, key, now));
  return row && toAuthRequest(row);
}

/** The statement that finds a request of a browser that is not answered yet. */
export const openRequestOfBrowser = (
  instanceId: string,
  key: { readonly authRequestId: string; readonly browserHash: string },
  now: number,
): Sql => sql`select ${columns} from auth_requests
    where instance_id = ${instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${now}`;

/** Finds a request that this browser made, possibly under its former secret, in any state until it is removed. */
export async function findPastAuthRequest(
  reader: Reader,
  instanceId: string,
  { authRequestId, browserHash }: { readonly authRequestId: string; readonly browserHash: string },
): Promise<AuthRequest | undefined> {
  const row = await reader.maybe<AuthRequestRow>(sql`select ${columns} from auth_requests
    where instance_id = ${instanceId} and auth_request_id = ${authRequestId}
      and (browser_hash = ${browserHash} or former_browser_hash = ${browserHash})`);
  return row && toAuthRequest(row);
}

/**
 * Remembers which session will answer the request, in place of an impersonation that was chosen before; false when the
 * request is not open or not of this browser.
 */
export async function attachSession(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string; readonly sessionId: string },
): Promise<boolean> {
  const count = await tx.run(sql`update auth_requests set session_id = ${key.sessionId}, impersonation_id = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Records that the user of the session consents to the request; false when this session is not the one that will answer
 * it.
 */
export async function noteConsent(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string; readonly sessionId: string },
): Promise<boolean> {
  const count = await tx.run(sql`update auth_requests set consented_session_id = ${key.sessionId},
      impersonation_id = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and session_id = ${key.sessionId} and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Records the impersonation with which the request is to be answered; false when it is not open or not of this browser.
 */
export async function noteImpersonation(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string; readonly impersonationId: string },
): Promise<boolean> {
  const count = await tx.run(sql`update auth_requests set impersonation_id = ${key.impersonationId}
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Whether an open request is bound to this browser. Locks it until the unit of work ends, so that it stays bound to
 * this browser.
 */
export async function holdBrowserAuthRequest(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string },
): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from auth_requests
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${tx.now} ${rowLock(tx, "alone")}`);
  return row !== undefined;
}

/** An open request with the present secret of a browser that had a given secret before. */
export interface FormerAuthRequest {
  readonly request: AuthRequest;
  /** Hash of the present secret of the browser. */
  readonly browserHash: string;
}

/** Finds the open request of a browser whose secret has changed since. */
export async function findFormerAuthRequest(
  reader: Reader,
  instanceId: string,
  key: { readonly authRequestId: string; readonly formerBrowserHash: string },
  now: number,
): Promise<FormerAuthRequest | undefined> {
  const row = await reader.maybe<
    AuthRequestRow & { browserHash: string }
  >(sql`select ${columns}, browser_hash as "browserHash" from auth_requests
    where instance_id = ${instanceId} and auth_request_id = ${key.authRequestId} and former_browser_hash = ${key.formerBrowserHash}
      and answered_at is null and expires_at > ${now}`);
  if (row === undefined) return undefined;
  const { browserHash, ...rest } = row;
  return { request: toAuthRequest(rest), browserHash };
}

/** Rebinds an open request to another browser. The session that was to answer it stays behind. */
export async function takeOverAuthRequest(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string; readonly formerBrowserHash: string },
): Promise<void> {
  await tx.run(sql`update auth_requests set browser_hash = ${key.browserHash}, former_browser_hash = ${key.formerBrowserHash},
      session_id = null, impersonation_id = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and answered_at is null and expires_at > ${tx.now}`);
}

/**
 * Rebinds an open request from the secret that it was begun with to the present one of the same browser; false when it
 * is not bound to that secret. The session that was to answer it stays behind.
 */
export async function joinAuthRequest(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string; readonly formerBrowserHash: string },
): Promise<boolean> {
  const count =
    await tx.run(sql`update auth_requests set browser_hash = ${key.browserHash}, former_browser_hash = ${key.formerBrowserHash},
      session_id = null, consented_session_id = null, impersonation_id = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.formerBrowserHash}
      and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Gives an open request that waited for an impersonation to a custom login, under another id and bound to no browser;
 * false when it is not open or not of this browser: the statement decides.
 */
export async function releaseAuthRequest(
  tx: Tx,
  key: {
    readonly authRequestId: string;
    readonly browserHash: string;
    readonly newId: string;
    readonly parameters: AuthRequestParameters;
  },
): Promise<boolean> {
  const count = await tx.run(sql`update auth_requests set auth_request_id = ${key.newId}, browser_hash = null,
      former_browser_hash = null, session_id = null, consented_session_id = null, impersonation_id = null,
      parameters = ${JSON.stringify(key.parameters)}
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Records that the user of this browser declined to sign in; false when the request is not open or not of this browser.
 */
export async function declineAuthRequest(
  tx: Tx,
  key: { readonly authRequestId: string; readonly browserHash: string },
): Promise<boolean> {
  const count = await tx.run(sql`update auth_requests set declined_at = ${tx.now}
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and browser_hash = ${key.browserHash}
      and answered_at is null and expires_at > ${tx.now}`);
  return count > 0;
}

/**
 * Marks the request as answered, and returns it; undefined when it is answered already or expired. The statement
 * decides who answers.
 */
export async function markRequestAnswered(
  tx: Tx,
  authRequestId: string,
): Promise<Pick<AuthRequest, "parameters" | "expiresAt"> | undefined> {
  const row = await tx.maybe<
    Pick<AuthRequestRow, "parameters" | "expiresAt">
  >(sql`update auth_requests set answered_at = ${tx.now}
    where instance_id = ${tx.instanceId} and auth_request_id = ${authRequestId} and answered_at is null and expires_at > ${tx.now}
    returning parameters, expires_at as "expiresAt"`);
  return row && { expiresAt: row.expiresAt, parameters: JSON.parse(row.parameters) as AuthRequestParameters };
}

/** Stores the response to a request, encrypted, for the browser that fetches it with the key. */
export async function keepResponse(
  tx: Tx,
  kept: { readonly authRequestId: string; readonly keyHash: string; readonly sealed: string },
): Promise<void> {
  await tx.run(sql`update auth_requests set response = ${kept.sealed}, response_key_hash = ${kept.keyHash}
    where instance_id = ${tx.instanceId} and auth_request_id = ${kept.authRequestId} and answered_at is not null`);
}

/**
 * Takes the stored response: the statement decides who gets it, once and within `lifetime` milliseconds of the answer.
 */
export async function takeResponse(
  tx: Tx,
  key: { readonly authRequestId: string; readonly keyHash: string; readonly lifetime: number },
): Promise<string | undefined> {
  const row = await tx.maybe<{ response: string }>(sql`update auth_requests set response_key_hash = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId} and response_key_hash = ${key.keyHash}
      and answered_at > ${tx.now - key.lifetime}
    returning response`);
  if (row === undefined) return undefined;
  await tx.run(sql`update auth_requests set response = null
    where instance_id = ${tx.instanceId} and auth_request_id = ${key.authRequestId}`);
  return row.response;
}

/** Moves the open requests of a browser, which are few (`insertAuthRequest`), to its new secret. */
export async function moveAuthRequests(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await tx.run(sql`update auth_requests set browser_hash = ${browser.to}, former_browser_hash = ${browser.from}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from} and answered_at is null and expires_at > ${tx.now}`);
}

/** Requests that expired before the instant. */
export const expiredAuthRequests = (before: number): EndedRows => ({
  table: text("auth_requests"),
  where: () => sql`expires_at < ${before}`,
});
