import {
  type InstantMethod,
  instantFilter,
  type List,
  list,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import type { TargetKey } from "./target-key.ts";

const columns = text(`target_id as "targetId", key_id as "keyId", is_active as "isActive", public_key as "publicKey",
  fingerprint, expires_at as "expiresAt", created_at as "createdAt", changed_at as "changedAt"`);

interface Row {
  readonly targetId: string;
  readonly keyId: string;
  readonly isActive: 0 | 1;
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

const toKey = ({ isActive, expiresAt, ...row }: Row): TargetKey => ({
  ...row,
  isActive: isActive === 1,
  ...(expiresAt !== null && { expiresAt }),
});

export async function insertTargetKey(
  tx: Tx,
  key: Pick<TargetKey, "targetId" | "keyId" | "publicKey" | "fingerprint" | "expiresAt">,
): Promise<void> {
  await tx.run(sql`insert into target_keys (instance_id, target_id, key_id, public_key, fingerprint, is_active, expires_at,
      created_at, changed_at)
    values (${tx.instanceId}, ${key.targetId}, ${key.keyId}, ${key.publicKey}, ${key.fingerprint}, 0, ${key.expiresAt},
      ${tx.now}, ${tx.now})`);
}

export async function countTargetKeys(tx: Tx, targetId: string): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from target_keys
    where instance_id = ${tx.instanceId} and target_id = ${targetId}`);
  return row?.count ?? 0;
}

export async function findTargetKey(tx: Tx, targetId: string, keyId: string): Promise<TargetKey | undefined> {
  const row = await tx.maybe<Row>(sql`select ${columns} from target_keys
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and key_id = ${keyId}`);
  return row && toKey(row);
}

/**
 * Deactivates the active key of the target, unless it is the given one. Returns the id of the key that was deactivated.
 */
export async function deactivateOtherTargetKey(tx: Tx, targetId: string, keyId: string): Promise<string | undefined> {
  const row = await tx.maybe<{ keyId: string }>(sql`update target_keys set is_active = 0, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and is_active = 1 and key_id <> ${keyId}
    returning key_id as "keyId"`);
  return row?.keyId;
}

export async function setTargetKeyActive(tx: Tx, targetId: string, keyId: string, isActive: boolean): Promise<void> {
  await tx.run(sql`update target_keys set is_active = ${isActive}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and key_id = ${keyId}`);
}

export async function deleteTargetKey(tx: Tx, targetId: string, keyId: string): Promise<void> {
  await tx.run(sql`delete from target_keys
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and key_id = ${keyId}`);
}

export async function deleteKeysOfTarget(tx: Tx, targetId: string): Promise<void> {
  await tx.run(sql`delete from target_keys where instance_id = ${tx.instanceId} and target_id = ${targetId}`);
}

export type TargetKeyFilter =
  | { readonly by: "ids"; readonly keyIds: readonly string[] }
  | { readonly by: "active"; readonly isActive: boolean }
  | { readonly by: "expiry"; readonly method: InstantMethod; readonly instant: number };

export interface TargetKeySearch {
  readonly targetId: string;
  readonly filters: readonly TargetKeyFilter[];
  readonly orderBy: "created_at" | "changed_at" | "expires_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  created_at: text("created_at"),
  changed_at: text("changed_at"),
  // A key that never expires sorts after all that do.
  expires_at: text("coalesce(expires_at, 9007199254740991)"),
} as const satisfies Record<TargetKeySearch["orderBy"], Sql>;

export async function listTargetKeyRows(
  reader: Reader,
  instanceId: string,
  { targetId, filters, orderBy, isDescending, page }: TargetKeySearch,
): Promise<List<TargetKey>> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("target_keys"),
    where: [sql`instance_id = ${instanceId}`, sql`target_id = ${targetId}`, ...filters.map(toCondition)],
    orderBy: orders[orderBy],
    id: text("key_id"),
    isDescending,
    page,
  });
  return { rows: rows.map(toKey), total };
}

function toCondition(filter: TargetKeyFilter): Sql {
  switch (filter.by) {
    case "ids":
      return sql`key_id in ${list(filter.keyIds)}`;
    case "active":
      return sql`is_active = ${filter.isActive}`;
    case "expiry":
      return instantFilter(text("expires_at"), filter.method, filter.instant);
    default:
      return filter satisfies never;
  }
}
