import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { countOldValues, listOldValues, type OldValue, replaceValue } from "./reencryption.store.ts";
import { type KnownColumn, sealedColumns } from "./sealed-columns.ts";

export interface ReencryptDeps {
  readonly database: Database;
  readonly vault: Vault;
}

/** What a run did: values that stand under the newest key now, and values that no configured key opens. */
export interface Reencrypted {
  readonly moved: number;
  readonly unreadable: number;
}

const batchSize = 200;

/**
 * Writes everything that stands under a former master key again under the newest one, of all instances, in small batches. May be cut off anywhere,
 * and done by several nodes at once. What cannot be opened stays as it is, and is counted.
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
  /** Undefined for what no key opens. */
  readonly sealed: string | undefined;
}

function sealAgain(
  vault: Vault,
  { table, part }: KnownColumn,
  { instanceId, place, value }: OldValue,
): string | undefined {
  const context = `${table}/${instanceId}/${place}/${part}`;
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
  if (values.length === 0) return 0;
  return database.touch(call, async (tx) => {
    let count = 0;
    for (const { value, sealed } of values) {
      if (sealed !== undefined && (await replaceValue(tx, column, value, sealed))) count++;
    }
    return count;
  });
}

/** How many values do not stand under the newest master key; when there are none, former keys are of no use any more. */
export async function countSealedByFormerKeys(read: Reader, vault: Pick<Vault, "newest">): Promise<number> {
  let count = 0;
  for (const column of sealedColumns) count += await countOldValues(read, column, vault.newest);
  return count;
}
