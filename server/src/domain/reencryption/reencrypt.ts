import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Reader, Tx } from "../../database/index.ts";
import { countOldValues, listOldValues, type OldValue, replaceValue } from "./reencryption.store.ts";
import { type KnownColumn, sealedColumns } from "./sealed-columns.ts";

export interface ReencryptDeps {
  readonly database: Database;
  readonly vault: Vault;
}

/** Result of a run: values that are now under the newest key, and values that no configured key opens. */
export interface Reencrypted {
  readonly moved: number;
  readonly unreadable: number;
}

const batchSize = 200;

/**
 * Encrypts every value under a former master key again with the newest one, in all instances, in small batches. A run
 * may be interrupted at any point, and several nodes may run it at once. A value that cannot be opened stays as it is
 * and is counted.
 */
export async function reencrypt(deps: ReencryptDeps, call: Call, signal: AbortSignal): Promise<Reencrypted> {
  let [moved, unreadable] = [0, 0];
  for (const column of sealedColumns) {
    let after: OldValue | undefined;
    while (!signal.aborted) {
      const page = { newest: deps.vault.newest, after, limit: batchSize };
      const values = await listOldValues(deps.database.read, column, page);
      const opened = values.map((value) => ({ value, sealed: sealAgain(deps.vault, column, value) }));
      moved += await write(deps, call, column, opened);
      unreadable += opened.filter(({ sealed }) => sealed === undefined).length;
      after = values.at(-1);
      if (values.length < batchSize) break;
    }
  }
  return { moved, unreadable };
}

interface Resealed {
  readonly value: OldValue;
  /** Undefined when no key opens the value. */
  readonly sealed: string | undefined;
}

function sealAgain(
  vault: Vault,
  { table, part }: KnownColumn,
  { instanceId, contextKey, value }: OldValue,
): string | undefined {
  const context = `${table}/${instanceId}/${contextKey}/${part}`;
  try {
    return vault.encrypt(vault.decrypt(value, context), context);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

async function write(
  { database }: ReencryptDeps,
  call: Call,
  column: KnownColumn,
  values: readonly Resealed[],
): Promise<number> {
  let count = 0;
  for (const [instanceId, ofInstance] of Map.groupBy(values, ({ value }) => value.instanceId)) {
    count += await database.touch({ ...call, instanceId }, (tx) => writeOfInstance(tx, column, ofInstance));
  }
  return count;
}

async function writeOfInstance(tx: Tx, column: KnownColumn, values: readonly Resealed[]): Promise<number> {
  let count = 0;
  for (const { value, sealed } of values) {
    if (sealed !== undefined && (await replaceValue(tx, column, value, sealed))) count++;
  }
  return count;
}

/** Counts the values that are not under the newest master key; at zero, former keys are no longer needed. */
export async function countSealedByFormerKeys(read: Reader, vault: Pick<Vault, "newest">): Promise<number> {
  let count = 0;
  for (const column of sealedColumns) count += await countOldValues(read, column, vault.newest);
  return count;
}
