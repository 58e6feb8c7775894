import { type Details, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { Instance } from "./instance.ts";

export const columns = text(`i.instance_id as "instanceId", i.name, i.default_language as "defaultLanguage",
  i.default_organization_id as "defaultOrganizationId", i.system_project_id as "systemProjectId", i.setup_completed_at as "setupCompletedAt", i.sequence,
  i.created_at as "createdAt", i.changed_at as "changedAt", p.host as "primaryHost",
  coalesce(l.is_blocked, 0) as "isBlocked"`);

export interface InstanceRow {
  readonly instanceId: string;
  readonly name: string;
  readonly defaultLanguage: string;
  readonly defaultOrganizationId: string;
  readonly systemProjectId: string;
  readonly primaryHost: string;
  readonly setupCompletedAt: number | null;
  readonly isBlocked: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export const withPrimaryHost = sql`join instance_domains p on p.instance_id = i.instance_id and p.is_primary = 1 and p.is_trusted = 0
  left join instance_limits l on l.instance_id = i.instance_id`;

/** Finds the instance that a host reaches. The only statement that looks for an instance instead of naming it. */
export async function findInstanceOfHost(reader: Reader, host: string): Promise<Instance | undefined> {
  const row = await reader.maybe<InstanceRow>(sql`select ${columns} from instance_domains h
    join instances i on i.instance_id = h.instance_id and i.state = 'active' ${withPrimaryHost}
    where h.host = ${host} and h.is_trusted = 0`);
  return row && toInstance(row);
}

/** Finds the active instance with this id. */
export async function findInstance(reader: Reader, instanceId: string): Promise<Instance | undefined> {
  const row = await reader.maybe<InstanceRow>(sql`select ${columns} from instances i ${withPrimaryHost}
    where i.instance_id = ${instanceId} and i.state = 'active'`);
  return row && toInstance(row);
}

/** Lists the ids of every active instance, for work that is done in each. */
export async function listInstanceIds(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select instance_id as "instanceId" from instances
    where state = 'active' order by created_at, instance_id`);
  return rows.map(({ instanceId }) => instanceId);
}

/** Finds the oldest instance, to which the configured base URL belongs. */
export async function findFirstInstance(reader: Reader): Promise<Instance | undefined> {
  const row = await reader.maybe<InstanceRow>(sql`select ${columns} from instances i ${withPrimaryHost}
    where i.state = 'active' order by i.created_at, i.instance_id limit 1`);
  return row && toInstance(row);
}

export async function insertInstance(
  tx: Tx,
  instance: { name: string; defaultLanguage: string; defaultOrganizationId: string; systemProjectId: string },
): Promise<void> {
  await tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
      system_project_id, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${instance.name}, 'active', ${instance.defaultLanguage}, ${instance.defaultOrganizationId},
      ${instance.systemProjectId}, 1, ${tx.now}, ${tx.now})`);
}

/** Records that the first administrator was created, unless that happened before. Returns the new sequence. */
export async function updateSetupCompleted(tx: Tx): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update instances
    set setup_completed_at = ${tx.now}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and setup_completed_at is null returning sequence`);
  return row?.sequence;
}

/** Renames the instance, unless it has the name already. Returns the new sequence. */
export async function updateInstanceName(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update instances
    set name = ${name}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and name <> ${name} returning sequence`);
  return row?.sequence;
}

/** Makes an organization the default one, unless it is already. Returns the new sequence. */
export async function updateDefaultOrganization(tx: Tx, organizationId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update instances
    set default_organization_id = ${organizationId}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and default_organization_id <> ${organizationId} returning sequence`);
  return row?.sequence;
}

/** Sets the default language, unless it is set already. Returns the new sequence. */
export async function updateDefaultLanguage(tx: Tx, language: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update instances
    set default_language = ${language}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and default_language <> ${language} returning sequence`);
  return row?.sequence;
}

/** Marks the instance as removed. Returns the new sequence; undefined when it was removed before. */
export async function updateInstanceRemoved(tx: Tx): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update instances
    set state = 'removed', sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and state = 'active' returning sequence`);
  return row?.sequence;
}

/**
 * Counts a change of something that belongs to the instance itself. Locks the instance's row until the unit of work
 * ends.
 */
export async function nextInstanceSequence(tx: Tx): Promise<Details> {
  const row = await tx.maybe<Omit<Details, "ownerId">>(sql`update instances
    set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and state = 'active'
    returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) throw new Error(`instance ${tx.instanceId} does not exist`);
  return { ...row, ownerId: tx.instanceId };
}

export function toInstance({ sequence, createdAt, changedAt, isBlocked, ...rest }: InstanceRow): Instance {
  return {
    ...rest,
    isBlocked: isBlocked === 1,
    details: { sequence, createdAt, changedAt, ownerId: rest.instanceId },
  };
}
