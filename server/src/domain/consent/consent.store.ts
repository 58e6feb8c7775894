import {
  deleteAll,
  firstSequence,
  inTurn,
  list,
  type Reader,
  rowLock,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import { type Consent, type ConsentKey, consentAggregate } from "./consent.ts";

const columns =
  text(`user_id as "userId", client_id as "clientId", scope as "scope", sequence as "sequence", author as "author",
  created_at as "createdAt", changed_at as "changedAt"`);

interface Row extends Omit<Consent, "scopes"> {
  readonly scope: string;
}

const queueOf = ({ userId, clientId }: ConsentKey): string => `${userId}/${clientId}`;

const toConsent = ({ scope, ...row }: Row): Consent => ({ ...row, scopes: scope.split(" ") });

/** Finds what a user lets a client do; undefined when the user was never asked or withdrew the consent. */
export async function findConsent(reader: Reader, instanceId: string, key: ConsentKey): Promise<Consent | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from consents
    where instance_id = ${instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}`);
  return row && toConsent(row);
}

/**
 * The same, locked until the unit of work ends. `share`: so that it is not withdrawn while tokens are issued that rest
 * on it.
 */
export async function holdConsent(
  tx: Tx,
  key: ConsentKey,
  mode: "share" | "alone" = "alone",
): Promise<Consent | undefined> {
  const row = await tx.maybe<Row>(sql`select ${columns} from consents
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}
    ${inTurn(tx, mode, "consent", queueOf(key))} ${rowLock(tx, mode)}`);
  return row && toConsent(row);
}

/**
 * Stores the first consent of a user for a client. Returns the sequence of the row; undefined when there is a row
 * already.
 */
export async function insertConsent(
  tx: Tx,
  key: ConsentKey,
  { scopes, author }: Pick<Consent, "scopes" | "author">,
): Promise<number | undefined> {
  const { aggregateType, aggregateId } = consentAggregate(key, "");
  const first = await firstSequence(tx, aggregateType, aggregateId);
  const row = await tx.maybe<{
    sequence: number;
  }>(sql`insert into consents (instance_id, user_id, client_id, scope, author, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${key.userId}, ${key.clientId}, ${scopes.join(" ")}, ${author}, ${first},
      ${tx.now}, ${tx.now})
    on conflict (instance_id, user_id, client_id) do nothing
    returning sequence as "sequence"`);
  return row?.sequence;
}

/** Replaces the scopes and the author of a consent. Returns the sequence of the row; undefined when there is none. */
export async function updateConsent(
  tx: Tx,
  key: ConsentKey,
  { scopes, author }: Pick<Consent, "scopes" | "author">,
): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update consents
    set scope = ${scopes.join(" ")}, author = ${author}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}
    ${inTurn(tx, "alone", "consent", queueOf(key))} returning sequence as "sequence"`);
  return row?.sequence;
}

/** Writes who else may have agreed in the user's place. */
export async function writeConsentAuthor(tx: Tx, key: ConsentKey, author: string): Promise<void> {
  await tx.run(sql`update consents set author = ${author}
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}
    ${inTurn(tx, "alone", "consent", queueOf(key))}`);
}

/** Lists the consents of a user, newest first. */
export async function listConsentsOfUser(reader: Reader, instanceId: string, userId: string): Promise<Consent[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from consents
    where instance_id = ${instanceId} and user_id = ${userId} order by changed_at desc, client_id limit 1000`);
  return rows.map(toConsent);
}

/** Lists the consents of a user that others may have given, in a session that they could have opened. */
export async function listPreparedConsents(reader: Reader, instanceId: string, userId: string): Promise<Consent[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from consents
    where instance_id = ${instanceId} and user_id = ${userId} and (author is null or author <> '') order by client_id`);
  return rows.map(toConsent);
}

/** Deletes a consent. Returns its last sequence; undefined when there was none. */
export async function deleteConsent(tx: Tx, key: ConsentKey): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from consents
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}
    ${inTurn(tx, "alone", "consent", queueOf(key))} returning sequence as "sequence"`);
  return row?.sequence;
}

/** Step: deletes the consents of users who are being deleted. */
export function deleteConsentsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("consents"), where });
}

/** Step: deletes the consents to an application that is being deleted. */
export function deleteConsentsOfClient(tx: Tx, clientId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and client_id = ${clientId}`;
  const { userId } = tx.call.caller ?? {};
  const ofCaller = userId === undefined ? undefined : sql`user_id = ${userId}`;
  return deleteAll(tx, { table: text("consents"), where, ...(ofCaller && { ofCaller }) });
}

/** Lists users who consented to a client; at most `limit`. Their consents are held in the order of their ids. */
export async function holdConsentingUsers(tx: Tx, clientId: string, limit: number): Promise<string[]> {
  const rows = await tx.all<{ userId: string }>(sql`select user_id as "userId" from consents
    where instance_id = ${tx.instanceId} and client_id = ${clientId}
    order by user_id limit ${limit} ${rowLock(tx, "alone")}`);
  return rows.map(({ userId }) => userId);
}

/** Deletes the consents of some users to a client. */
export async function deleteConsents(
  tx: Tx,
  { clientId, userIds }: { readonly clientId: string; readonly userIds: readonly string[] },
): Promise<void> {
  await tx.run(sql`delete from consents
    where instance_id = ${tx.instanceId} and client_id = ${clientId} and user_id in ${list(userIds)}`);
}
