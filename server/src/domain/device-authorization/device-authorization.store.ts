import {
  deleteAll,
  type EndedRows,
  list,
  type Reader,
  rowLock,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import { liveSession } from "../session/index.ts";
import type { Approval, DeviceAuthorization } from "./device-authorization.ts";

const columns =
  text(`device_authorization_id as "deviceAuthorizationId", client_id as "clientId", application_id as "applicationId",
  user_code_sealed as "userCodeSealed", scope, resources, state, requested_from as "requestedFrom", created_at as "createdAt", expires_at as "expiresAt"`);

interface Row extends Omit<DeviceAuthorization, "resources"> {
  /** Divided by spaces. */
  readonly resources: string;
}

const toDevice = (row: Row | undefined): DeviceAuthorization | undefined =>
  row && { ...row, resources: splitWords(row.resources) };

/** Returns the words of a list that is stored as one text. */
export const splitWords = (words: string): string[] => words.split(" ").filter((word) => word !== "");

export interface NewRow {
  readonly deviceAuthorizationId: string;
  readonly clientId: string;
  readonly applicationId: string;
  readonly deviceCodeHash: string;
  readonly userCodeHash: string;
  readonly userCodeSealed: string;
  readonly scope: string;
  readonly resources: readonly string[];
  readonly requestedFrom: string;
  readonly pollingInterval: number;
  readonly expiresAt: number;
}

/** Stores a pending device authorization; false when the user code is in use already. */
export async function insertDeviceAuthorization(tx: Tx, row: NewRow): Promise<boolean> {
  const count =
    await tx.run(sql`insert into device_authorizations (instance_id, device_authorization_id, client_id, application_id,
      device_code_hash, user_code_hash, user_code_sealed, scope, resources, state, requested_from, browser_hash, user_id, session_id, auth_time, authentication_methods,
      polling_interval, polled_at, created_at, expires_at, sequence)
    values (${tx.instanceId}, ${row.deviceAuthorizationId}, ${row.clientId}, ${row.applicationId}, ${row.deviceCodeHash},
      ${row.userCodeHash}, ${row.userCodeSealed}, ${row.scope}, ${row.resources.join(" ")}, 'pending', ${row.requestedFrom}, null, null, null, null, null, ${row.pollingInterval}, null,
      ${tx.now}, ${row.expiresAt}, 0)
    on conflict do nothing`);
  return count > 0;
}

/** Finds the pending device authorization of a user code, in any browser: for login clients that call the API. */
export async function findPendingByUserCode(
  reader: Reader,
  instanceId: string,
  userCodeHash: string,
  now: number,
): Promise<DeviceAuthorization | undefined> {
  return toDevice(
    await reader.maybe<Row>(sql`select ${columns} from device_authorizations
    where instance_id = ${instanceId} and user_code_hash = ${userCodeHash} and state = 'pending' and expires_at > ${now}`),
  );
}

/** Finds a device authorization by id, in any state. */
export async function findDeviceAuthorization(
  reader: Reader,
  instanceId: string,
  deviceAuthorizationId: string,
): Promise<DeviceAuthorization | undefined> {
  return toDevice(
    await reader.maybe<Row>(sql`select ${columns} from device_authorizations
    where instance_id = ${instanceId} and device_authorization_id = ${deviceAuthorizationId}`),
  );
}

/** Finds a device authorization by id if its code was last typed in this browser, in any state. */
export async function findDeviceAuthorizationOfBrowser(
  reader: Reader,
  instanceId: string,
  key: { readonly deviceAuthorizationId: string; readonly browserHash: string },
): Promise<DeviceAuthorization | undefined> {
  return toDevice(
    await reader.maybe<Row>(sql`select ${columns} from device_authorizations
    where instance_id = ${instanceId} and device_authorization_id = ${key.deviceAuthorizationId} and browser_hash = ${key.browserHash}`),
  );
}

// All of them are moved when the browser gets another secret, and none may stay behind with the former one.
const mostOfBrowser = 50;

/**
 * Binds the pending device authorization of a user code to the browser in which the code was typed; undefined when
 * there is none. Of others that were bound to the browser the newest stay.
 */
export async function bindBrowser(
  tx: Tx,
  key: { readonly userCodeHash: string; readonly browserHash: string },
): Promise<DeviceAuthorization | undefined> {
  tx.write(sql`update device_authorizations set browser_hash = null
    where instance_id = ${tx.instanceId} and device_authorization_id in (
      select device_authorization_id from device_authorizations
        where instance_id = ${tx.instanceId} and browser_hash = ${key.browserHash}
        order by created_at desc, device_authorization_id desc limit 1000 offset ${mostOfBrowser - 1})`);
  return toDevice(
    await tx.maybe<Row>(sql`update device_authorizations set browser_hash = ${key.browserHash}
    where instance_id = ${tx.instanceId} and user_code_hash = ${key.userCodeHash} and state = 'pending' and expires_at > ${tx.now}
    returning ${columns}`),
  );
}

/** Moves the device authorizations of a browser, which are few (`bindBrowser`), to its new secret. */
export async function moveDeviceAuthorizations(
  tx: Tx,
  browser: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.run(sql`update device_authorizations set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from}`);
}

interface Decided {
  readonly sequence: number;
  readonly clientId: string;
  readonly scope: string;
}

/**
 * Approves a pending device; the statement decides which decision counts. With a browser hash, only if it is bound to
 * that browser.
 */
export function markApproved(
  tx: Tx,
  key: { readonly deviceAuthorizationId: string; readonly browserHash: string | undefined },
  approval: Approval,
): Promise<Decided | undefined> {
  return tx.maybe<Decided>(sql`update device_authorizations set state = 'approved', user_id = ${approval.userId},
      session_id = ${approval.sessionId}, auth_time = ${approval.authTime},
      authentication_methods = ${approval.authenticationMethods.join(" ")}, sequence = sequence + 1
    where ${isUndecided(tx, key)} returning sequence, client_id as "clientId", scope`);
}

/**
 * Denies a pending device; the statement decides which decision counts. With a browser hash, only if it is bound to
 * that browser.
 */
export function markDenied(
  tx: Tx,
  key: { readonly deviceAuthorizationId: string; readonly browserHash: string | undefined },
): Promise<Decided | undefined> {
  return tx.maybe<Decided>(sql`update device_authorizations set state = 'denied', sequence = sequence + 1
    where ${isUndecided(tx, key)} returning sequence, client_id as "clientId", scope`);
}

const isUndecided = (tx: Tx, key: { deviceAuthorizationId: string; browserHash: string | undefined }) =>
  sql`instance_id = ${tx.instanceId} and device_authorization_id = ${key.deviceAuthorizationId} and state = 'pending'
    and expires_at > ${tx.now} ${key.browserHash === undefined ? text("") : sql`and browser_hash = ${key.browserHash}`}`;

export interface PolledRow {
  readonly state: DeviceAuthorization["state"];
  readonly pollingInterval: number;
  readonly polledAt: number | null;
  readonly expiresAt: number;
  /** 1 when the device asked before its interval had passed. */
  readonly isTooEarly: number;
}

/** What a device that polls has to keep to. */
export interface PollingRule {
  /** Seconds by which the interval grows when it polls too early. */
  readonly further: number;
  /** Milliseconds by which it may be early. */
  readonly jitter: number;
}

/**
 * Finds the device of a client by its device code, and records the poll if the device waits: the interval that it must
 * keep grows when it asked too early. Parallel polls run one after the other. Returns the row as it was before. One
 * statement on PostgreSQL, which saves a trip; the embedded database has no such statements and no trips.
 */
export async function pollByDeviceCode(
  tx: Tx,
  key: { readonly deviceCodeHash: string; readonly clientId: string },
  rule: PollingRule,
): Promise<PolledRow | undefined> {
  // No index has the expression: a client may have many devices, and the code alone finds one.
  const ofClient = sql`instance_id = ${tx.instanceId} and device_code_hash = ${key.deviceCodeHash} and (client_id || '') = ${key.clientId}`;
  const held = sql`select state, polling_interval as "pollingInterval", polled_at as "polledAt", expires_at as "expiresAt",
      case when polled_at is not null and ${tx.now} < polled_at + polling_interval * 1000 - ${rule.jitter} then 1 else 0 end as "isTooEarly"
    from device_authorizations where ${ofClient} ${rowLock(tx, "alone")}`;
  const polled = (isTooEarly: Sql): Sql => sql`update device_authorizations set polled_at = ${tx.now},
      polling_interval = polling_interval + ${isTooEarly} * ${rule.further}
    where ${ofClient} and state = 'pending' and expires_at > ${tx.now}`;
  if (tx.engine === "postgres") {
    return tx.maybe<PolledRow>(sql`with held as (${held}), polled as (${polled(sql`(select "isTooEarly" from held)`)})
      select * from held`);
  }
  const row = await tx.maybe<PolledRow>(held);
  if (row !== undefined) await tx.run(polled(sql`${row.isTooEarly}`));
  return row;
}

interface RedeemedRow {
  readonly scope: string;
  /** Divided by spaces. */
  readonly resources: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: number;
  readonly authenticationMethods: string;
  /** Whether tokens may still be issued for the session, where that was asked with the same statement. */
  readonly isSessionLive?: number | null;
}

/**
 * Spends the approval of a device of the client: the statement decides which of parallel polls gets the tokens. On
 * PostgreSQL it also asks for the session, which saves a trip.
 */
export function markRedeemed(
  tx: Tx,
  key: { readonly deviceCodeHash: string; readonly clientId: string },
): Promise<RedeemedRow | undefined> {
  const spending = sql`update device_authorizations set state = 'redeemed'
    where instance_id = ${tx.instanceId} and device_code_hash = ${key.deviceCodeHash} and (client_id || '') = ${key.clientId}
      and state = 'approved' and expires_at > ${tx.now}
    returning scope, resources, user_id as "userId", session_id as "sessionId", auth_time as "authTime",
      authentication_methods as "authenticationMethods"`;
  if (tx.engine !== "postgres") return tx.maybe<RedeemedRow>(spending);
  return tx.decide<RedeemedRow>(sql`with spent as (${spending}) select spent.*,
    (${liveSession(tx.instanceId, sql`spent."sessionId"`)}) as "isSessionLive" from spent`);
}

/** Makes the approval of a device that was spent as good as before. */
export async function markApprovedAgain(tx: Tx, deviceCodeHash: string): Promise<void> {
  await tx.run(sql`update device_authorizations set state = 'approved'
    where instance_id = ${tx.instanceId} and device_code_hash = ${deviceCodeHash} and state = 'redeemed'`);
}

/** Denies the devices of a client that a user approved and that have no tokens yet. */
export function markApprovalsWithdrawn(
  tx: Tx,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
): Promise<(Decided & { readonly deviceAuthorizationId: string })[]> {
  return tx.all(sql`update device_authorizations set state = 'denied', sequence = sequence + 1
    where instance_id = ${tx.instanceId} and user_id = ${userId} and client_id = ${clientId} and state = 'approved'
    returning device_authorization_id as "deviceAuthorizationId", sequence, client_id as "clientId", scope`);
}

/** Denies the devices of a client that wait for an answer. */
export function markPendingDenied(
  tx: Tx,
  clientId: string,
): Promise<(Decided & { readonly deviceAuthorizationId: string })[]> {
  return tx.all(sql`update device_authorizations set state = 'denied', sequence = sequence + 1
    where instance_id = ${tx.instanceId} and client_id = ${clientId} and state = 'pending' and expires_at > ${tx.now}
    returning device_authorization_id as "deviceAuthorizationId", sequence, client_id as "clientId", scope`);
}

/** Deletes the device authorizations of a client that is being deleted. */
export async function deleteDeviceAuthorizationsOfClient(tx: Tx, clientId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and client_id = ${clientId}`;
  await deleteAll(tx, { table: text("device_authorizations"), where });
}

/** Deletes the device authorizations approved by a user who is being deleted. */
export function deleteDeviceAuthorizationsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("device_authorizations"), where });
}

/** Devices that expired before the instant. */
export const expiredDeviceAuthorizations = (before: number): EndedRows => ({
  table: text("device_authorizations"),
  where: () => sql`expires_at < ${before}`,
});
