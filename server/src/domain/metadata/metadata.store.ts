import {
  deleteAll,
  join,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type TextMethod,
  type Tx,
  text,
  textFilter,
} from "../../database/index.ts";
import type { Metadata, MetadataOwner } from "./metadata.ts";

interface Row {
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
  readonly changedAt: number;
}

const columns = text(
  `metadata_key as "key", metadata_value as "value", created_at as "createdAt", changed_at as "changedAt"`,
);

const lengthOfPair = text("length(metadata_key) + length(metadata_value)");

const isOf = (owner: MetadataOwner): Sql => sql`owner_type = ${owner.type} and owner_id = ${owner.id}`;

// Both engines accept some ten thousand parameters per statement; a row has seven.
const rowsPerStatement = 1000;

/** Sets pairs with different keys. Returns the keys that are new or have a new value. */
export async function putMetadata(
  tx: Tx,
  owner: MetadataOwner,
  pairs: readonly { readonly key: string; readonly value: string }[],
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (let start = 0; start < pairs.length; start += rowsPerStatement) {
    const rows = pairs
      .slice(start, start + rowsPerStatement)
      .map(
        ({ key, value }) => sql`(${tx.instanceId}, ${owner.type}, ${owner.id}, ${key}, ${value}, ${tx.now}, ${tx.now})`,
      );
    const put = await tx.all<{ key: string }>(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key,
        metadata_value, created_at, changed_at)
      values ${join(rows, ", ")}
      on conflict (instance_id, owner_type, owner_id, metadata_key) do update
        set metadata_value = excluded.metadata_value, changed_at = excluded.changed_at
        where metadata.metadata_value <> excluded.metadata_value
      returning metadata_key as "key"`);
    for (const { key } of put) changed.add(key);
  }
  return changed;
}

/** Returns the length of all pairs of an owner, as they are stored. */
export async function readMetadataLength(reader: Reader, instanceId: string, owner: MetadataOwner): Promise<number> {
  const row = await reader.maybe<{ length: number | null }>(sql`select sum(${lengthOfPair}) as "length" from metadata
    where instance_id = ${instanceId} and ${isOf(owner)}`);
  return Number(row?.length ?? 0);
}

/** Removes pairs. Returns the keys that existed. */
export async function deleteMetadata(tx: Tx, owner: MetadataOwner, keys: readonly string[]): Promise<string[]> {
  const rows = await tx.all<{ key: string }>(sql`delete from metadata where instance_id = ${tx.instanceId}
    and ${isOf(owner)} and metadata_key in ${list(keys)} returning metadata_key as "key"`);
  return rows.map(({ key }) => key).sort();
}

/** Step: removes all metadata of owners of one type that are being deleted. */
export function deleteAllMetadata(
  tx: Tx,
  { type, ids }: { readonly type: MetadataOwner["type"]; readonly ids: readonly string[] },
): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and owner_type = ${type} and owner_id in ${list(ids)}`;
  return deleteAll(tx, { table: text("metadata"), where });
}

export interface ListMetadata {
  readonly owner: MetadataOwner;
  /** All of them must match. */
  readonly keyFilters: readonly { readonly key: string; readonly method: TextMethod }[];
  readonly page: Page;
  readonly isDescending: boolean;
}

/** Lists one page of the metadata of an owner, by key. */
export async function listMetadata(
  reader: Reader,
  instanceId: string,
  { owner, keyFilters, page, isDescending }: ListMetadata,
): Promise<{ readonly metadata: Metadata[]; readonly total: number }> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("metadata"),
    where: [
      sql`instance_id = ${instanceId} and ${isOf(owner)}`,
      ...keyFilters.map(({ key, method }) => textFilter(text("metadata_key"), method, key)),
    ],
    orderBy: text("metadata_key"),
    id: text("metadata_key"),
    isDescending,
    page,
    weight: lengthOfPair,
  });
  return { metadata: rows.map(toMetadata), total };
}

const toMetadata = ({ value, ...rest }: Row): Metadata => ({ ...rest, value: Buffer.from(value, "base64") });

// Base64, in which values are stored and told.
const mostInClaims = 65_536;

/**
 * Returns all pairs of an owner, for tokens that contain them; none when they are longer than a token should be, in
 * which case applications read them with the API.
 */
export async function readMetadata(
  reader: Reader,
  instanceId: string,
  owner: MetadataOwner,
): Promise<ReadonlyMap<string, Uint8Array>> {
  // The length is compared by the database, so that what is too long is never read.
  const rows = await reader.all<{
    key: string;
    value: string;
  }>(sql`select metadata_key as "key", metadata_value as "value"
    from metadata where instance_id = ${instanceId} and ${isOf(owner)}
      and (select sum(${lengthOfPair}) from metadata where instance_id = ${instanceId} and ${isOf(owner)}) <= ${mostInClaims}
    order by metadata_key`);
  return new Map(rows.map(({ key, value }) => [key, Buffer.from(value, "base64")]));
}
