import { list, type Reader, readList, type Sql, sql, type Tx, text, textFilter } from "../../database/index.ts";
import type { InstanceDomain } from "./instance.ts";
import type { InstanceDomainFilter, InstanceDomainSearch } from "./instance-search.ts";

const columns =
  text(`instance_id as "instanceId", host as "domain", is_primary as "isPrimary", is_generated as "isGenerated",
  created_at as "createdAt"`);

interface Row {
  readonly instanceId: string;
  readonly domain: string;
  readonly isPrimary: number;
  readonly isGenerated: number;
  readonly createdAt: number;
}

const orders = {
  domain: text("host"),
  primary: text("is_primary"),
  generated: text("is_generated"),
  created_at: text("created_at"),
} as const satisfies Record<InstanceDomainSearch["orderBy"], Sql>;

/** Inserts the host; false when it reaches an instance already, or is trusted already. */
export async function insertInstanceDomain(
  tx: Tx,
  domain: { host: string; isPrimary: boolean; isGenerated: boolean; isTrusted: boolean },
): Promise<boolean> {
  const count =
    await tx.run(sql`insert into instance_domains (instance_id, host, is_primary, is_generated, is_trusted, created_at)
      values (${tx.instanceId}, ${domain.host}, ${domain.isPrimary}, ${domain.isGenerated}, ${domain.isTrusted}, ${tx.now})
      on conflict do nothing`);
  return count > 0;
}

/** Finds a host that reaches the instance of this unit of work. */
export async function findInstanceDomain(tx: Tx, host: string): Promise<InstanceDomain | undefined> {
  const row = await tx.maybe<Row>(sql`select ${columns} from instance_domains
    where instance_id = ${tx.instanceId} and host = ${host} and is_trusted = 0`);
  return row && toDomain(row);
}

/** Lists hosts that reach the given instances, the primary one of each first. */
export async function listDomainsOfInstances(
  reader: Reader,
  instanceIds: readonly string[],
): Promise<InstanceDomain[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from instance_domains
    where instance_id in ${list(instanceIds)} and is_trusted = 0 order by is_primary desc, created_at, host`);
  return rows.map(toDomain);
}

/** Lists every host of an instance: first the primary one, then others that reach it, then those that it trusts. */
export async function listHostsOfInstance(reader: Reader, instanceId: string): Promise<string[]> {
  const rows = await reader.all<{ host: string }>(sql`select host from instance_domains
    where instance_id = ${instanceId} order by is_primary desc, is_trusted, created_at, host`);
  return rows.map(({ host }) => host);
}

/**
 * Lists the hosts at whose pages users of an instance may sign in, as `listHostsOfInstance` does: without trusted ones
 * that reach another instance.
 */
export async function listSignInHosts(reader: Reader, instanceId: string): Promise<string[]> {
  const rows = await reader.all<{ host: string }>(sql`select d.host from instance_domains d
    where d.instance_id = ${instanceId} and (d.is_trusted = 0 or not exists (select 1 from instance_domains o
      where o.host = d.host and o.is_trusted = 0))
    order by d.is_primary desc, d.is_trusted, d.created_at, d.host`);
  return rows.map(({ host }) => host);
}

/** Lists the hosts that reach an instance, the primary one first. */
export async function listReachingHosts(reader: Reader, instanceId: string): Promise<string[]> {
  return (await listDomainsOfInstances(reader, [instanceId])).map(({ domain }) => domain);
}

export async function listInstanceDomainRows(
  reader: Reader,
  instanceId: string,
  search: InstanceDomainSearch,
): Promise<{ domains: InstanceDomain[]; total: number }> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("instance_domains"),
    where: [
      sql`instance_id = ${instanceId}`,
      sql`is_trusted = ${search.isTrusted}`,
      ...search.filters.map(toCondition),
    ],
    orderBy: orders[search.orderBy],
    id: text("host"),
    isDescending: search.isDescending,
    page: search.page,
  });
  return { domains: rows.map(toDomain), total };
}

/** Removes a host that is neither primary nor generated. Returns whether there was one. */
export async function deleteInstanceDomain(tx: Tx, domain: { host: string; isTrusted: boolean }): Promise<boolean> {
  const count = await tx.run(sql`delete from instance_domains where instance_id = ${tx.instanceId}
    and host = ${domain.host} and is_trusted = ${domain.isTrusted} and is_generated = 0 and is_primary = 0`);
  return count > 0;
}

/** Removes every host of an instance that is being removed. */
export async function deleteAllInstanceDomains(tx: Tx): Promise<void> {
  await tx.run(sql`delete from instance_domains where instance_id = ${tx.instanceId}`);
}

/** Makes a host of the instance its primary one. */
export async function updatePrimaryInstanceDomain(tx: Tx, host: string): Promise<void> {
  await tx.run(sql`update instance_domains set is_primary = case when host = ${host} then 1 else 0 end
    where instance_id = ${tx.instanceId} and is_trusted = 0`);
}

function toCondition(filter: InstanceDomainFilter): Sql {
  switch (filter.by) {
    case "domain":
      return textFilter(text("host"), filter.method, filter.domain);
    case "primary":
      return sql`is_primary = ${filter.value}`;
    case "generated":
      return sql`is_generated = ${filter.value}`;
    default:
      return filter satisfies never;
  }
}

const toDomain = ({ isPrimary, isGenerated, ...rest }: Row): InstanceDomain => ({
  ...rest,
  isPrimary: isPrimary === 1,
  isGenerated: isGenerated === 1,
});
