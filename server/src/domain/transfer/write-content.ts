import { createHash } from "node:crypto";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Snapshot, SqlValue } from "../../database/index.ts";
import { type ContentLine, type Contents, type FileValue, type OnProgress, totalOf } from "./content.ts";
import { type SealedValue, sealedValuesOf } from "./seal-context.ts";
import { type ExportedTable, exportedTables } from "./tables/exported-tables.ts";
import { columnsOf } from "./tables/table.ts";
import { countRows, listMovedInstances, selectRows } from "./transfer.store.ts";
import { TransferError } from "./transfer-error.ts";

export interface ContentSource {
  readonly snapshot: Snapshot;
  readonly vault: Pick<Vault, "decrypt">;
  /** The only instance to export; all of the database without it. */
  readonly instanceId: string | undefined;
}

/** What was written, known at the end. */
export interface WrittenContent {
  contents: Contents | undefined;
  digest: string;
  /** Values that no master key opened; they are exported as they are stored. */
  unreadable: number;
}

/**
 * Writes the content of an export: line by line, table by table, in a fixed order. Secrets are opened, so the content
 * must only leave the process sealed. Fills `written`.
 */
export async function* writeContent(
  source: ContentSource,
  written: WrittenContent,
  onProgress: OnProgress,
): AsyncGenerator<string> {
  const { snapshot, instanceId } = source;
  const contents = await describe(source);
  written.contents = contents;
  yield lineOf({ contents });
  const hash = createHash("sha256");
  const digested = (text: string): string => {
    hash.update(text);
    return text;
  };
  const rows: Record<string, number> = {};
  const total = totalOf(contents.rows);
  let done = 0;
  for (const table of exportedTables) {
    const { name } = table;
    rows[name] = 0;
    yield digested(lineOf({ table: name, columns: columnsOf(table) }));
    const sealed = sealedValuesOf(table);
    for await (const batch of snapshot.rows(selectRows(snapshot.read.engine, table, instanceId))) {
      yield digested(batch.map((row) => lineOf(openValues(source, written, { table, sealed, row }))).join(""));
      rows[name] += batch.length;
      done += batch.length;
      onProgress({ table: name, done, total });
    }
  }
  yield digested(lineOf({ lastPosition: await snapshot.lastPosition() }));
  written.digest = hash.digest("base64url");
  yield lineOf({ end: { rows, digest: written.digest } });
}

async function describe({ snapshot: { read }, instanceId }: ContentSource): Promise<Contents> {
  const instances = await listMovedInstances(read, instanceId);
  if (instances.length === 0) {
    throw new TransferError(
      instanceId === undefined ? "the database has no instance" : `the database has no instance ${instanceId}`,
    );
  }
  const rows: Record<string, number> = {};
  for (const table of exportedTables) rows[table.name] = await countRows(read, table, instanceId);
  return { instances, isWhole: instanceId === undefined, rows };
}

const lineOf = (line: ContentLine): string => `${JSON.stringify(line)}\n`;

interface ReadRow {
  readonly table: ExportedTable;
  readonly sealed: readonly SealedValue[];
  readonly row: readonly SqlValue[];
}

function openValues(source: ContentSource, written: WrittenContent, { table, sealed, row }: ReadRow): FileValue[] {
  const values: FileValue[] = [...row];
  for (const value of values) {
    // What neither engine nor file would give back as it was.
    if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Error(`${table.name} has ${value}`);
  }
  for (const { index, contextOf } of sealed) {
    const stored = values[index];
    if (typeof stored !== "string" || stored === "") continue;
    const opened = tryDecrypt(source.vault, stored, contextOf(row));
    if (opened === undefined) written.unreadable++;
    values[index] = opened ?? { sealed: stored };
  }
  return values;
}

function tryDecrypt(vault: Pick<Vault, "decrypt">, stored: string, context: string): string | undefined {
  try {
    return vault.decrypt(stored, context).reveal();
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
