import { firstSequence, type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import { type Consent, type ConsentKey, consentAggregate } from "./consent.ts";

const columns = text(`user_id as "userId", client_id as "clientId", scope as "scope", sequence as "sequence",
  created_at as "createdAt", changed_at as "changedAt"`);

interface Row extends Omit<Consent, "scopes"> {
  readonly scope: string;
}

const toConsent = ({ scope, ...row }: Row): Consent => ({ ...row, scopes: scope.split(" ") });

/** What somebody lets a client do; undefined when he was not asked, or took it back. */
export async function findConsent(reader: Reader, instanceId: string, key: ConsentKey): Promise<Consent | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from consents
    where instance_id = ${instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}`);
  return row && toConsent(row);
}

/** The same, held until the unit of work ends. */
export async function holdConsent(tx: Tx, key: ConsentKey): Promise<Consent | undefined> {
  const row = await tx.maybe<Row>(sql`select ${columns} from consents
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId} ${rowLock(tx, "alone")}`);
  return row && toConsent(row);
}

/** Keeps what somebody agreed to, in place of what was kept before; the sequence of the row. */
export async function putConsent(tx: Tx, key: ConsentKey, scopes: readonly string[]): Promise<number> {
  const { aggregateType, aggregateId } = consentAggregate(key, "");
  const row = await tx.maybe<{
    sequence: number;
  }>(sql`insert into consents (instance_id, user_id, client_id, scope, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${key.userId}, ${key.clientId}, ${scopes.join(" ")}, ${firstSequence(tx, aggregateType, aggregateId)},
      ${tx.now}, ${tx.now})
    on conflict (instance_id, user_id, client_id) do update
      set scope = excluded.scope, sequence = consents.sequence + 1, changed_at = excluded.changed_at
    returning sequence as "sequence"`);
  return row?.sequence ?? 1;
}

/** Every consent of a person, the newest first. */
export async function listConsentsOfUser(reader: Reader, instanceId: string, userId: string): Promise<Consent[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from consents
    where instance_id = ${instanceId} and user_id = ${userId} order by changed_at desc, client_id limit 1000`);
  return rows.map(toConsent);
}

/** Takes one back; its last sequence, undefined when there was none. */
export async function deleteConsent(tx: Tx, key: ConsentKey): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from consents
    where instance_id = ${tx.instanceId} and user_id = ${key.userId} and client_id = ${key.clientId}
    returning sequence as "sequence"`);
  return row?.sequence;
}

/** Removes what a person agreed to, who goes himself. */
export async function deleteConsentsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from consents where instance_id = ${tx.instanceId} and user_id = ${userId}`);
}

/** Removes what people let an application do, which goes itself. */
export async function deleteConsentsOfClient(tx: Tx, clientId: string): Promise<void> {
  await tx.run(sql`delete from consents where instance_id = ${tx.instanceId} and client_id = ${clientId}`);
}
