import { type Reader, sql, type Tx, text } from "../../database/index.ts";

/** What checking the costliest imported hash of an instance takes. */
export interface ImportedCost {
  readonly milliseconds: number;
  readonly raisedAt: number;
}

export const findImportedCost = (reader: Reader, instanceId: string): Promise<ImportedCost | undefined> =>
  reader.maybe<ImportedCost>(sql`select milliseconds, raised_at as "raisedAt" from imported_hash_costs
    where instance_id = ${instanceId}`);

/** Raises the cost, which never falls by this, and keeps when: such a hash is about to be stored or checked. */
export async function raiseCost(tx: Tx, milliseconds: number): Promise<void> {
  await tx.run(sql`insert into imported_hash_costs (instance_id, milliseconds, raised_at)
    values (${tx.instanceId}, ${milliseconds}, ${tx.now})
    on conflict (instance_id) do update set raised_at = excluded.raised_at, milliseconds =
      case when imported_hash_costs.milliseconds > excluded.milliseconds then imported_hash_costs.milliseconds
        else excluded.milliseconds end`);
}

// As the index has it, which is found by the same text alone.
const isImported = text(
  "password_hash is not null and substr(password_hash, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'",
);

/** Whether a user of the instance has an imported hash. */
export async function hasImportedHash(reader: Reader, instanceId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from users
    where instance_id = ${instanceId} and ${isImported} limit 1`);
  return row !== undefined;
}

/** Deletes a cost that was raised before, when no imported hash is left. */
export async function deleteCost(tx: Tx, before: number): Promise<void> {
  await tx.run(sql`delete from imported_hash_costs where instance_id = ${tx.instanceId} and raised_at <= ${before}
      and not exists (select 1 from users where users.instance_id = ${tx.instanceId} and ${isImported})`);
}
