import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import {
  type DatabaseLocation,
  type Loader,
  openLoader,
  type Reader,
  type SqlValue,
  UniqueViolation,
} from "../../database/index.ts";
import type { ContentEnd, Contents, FileValue } from "./content.ts";
import { explainOtherMigration, type FileHeader } from "./file-header.ts";
import type { ContentPart } from "./read-content.ts";
import { type SealedValue, sealedValuesOf } from "./seal-context.ts";
import { type ExportedTable, exportedTables } from "./tables/exported-tables.ts";
import { columnsOf } from "./tables/table.ts";
import { hasRows, insertRows, listMovedInstances } from "./transfer.store.ts";
import { TransferError } from "./transfer-error.ts";

export interface LoadDeps {
  readonly location: DatabaseLocation;
  /** Makes what seals secrets here, once the database is known to be empty. */
  readonly makeVault: () => Promise<Pick<Vault, "encrypt">>;
  readonly clock: Clock;
}

/** What was read of an export, or loaded. */
export interface ReadExport {
  readonly contents: Contents;
  readonly end: ContentEnd;
}

/**
 * Loads an export into an empty database, all of it or nothing: what was read counts once its end was read. Secrets are
 * sealed under the master key of this installation. Throws TransferError.
 */
export async function loadExport(
  deps: LoadDeps,
  header: FileHeader,
  parts: AsyncIterable<ContentPart>,
): Promise<ReadExport> {
  const reason = explainOtherMigration(header);
  if (reason !== undefined) throw new TransferError(reason);
  const tables = exportedTables.map(({ name }) => name);
  const loader = await openLoader(deps.location, { clock: deps.clock, tables, check: refuseUsed });
  try {
    const { lastPosition, ...read } = await readParts(parts, new Loading(loader, await deps.makeVault()));
    await loader.finish(lastPosition);
    return read;
  } catch (error) {
    await loader.abandon();
    if (!(error instanceof UniqueViolation)) throw error;
    throw new TransferError(`the file is damaged: ${error.message}`, { cause: error });
  }
}

/** Reads an export to its end, without a database. Throws TransferError. */
export async function checkExport(parts: AsyncIterable<ContentPart>): Promise<ReadExport> {
  const { contents, end } = await readParts(parts, undefined);
  return { contents, end };
}

async function readParts(
  parts: AsyncIterable<ContentPart>,
  loading: Loading | undefined,
): Promise<ReadExport & { readonly lastPosition: number }> {
  let contents: Contents | undefined;
  let last: Extract<ContentPart, { kind: "end" }> | undefined;
  for await (const part of parts) {
    if (part.kind === "contents") ({ contents } = part);
    if (part.kind === "table") loading?.begin(part.table, part.columns);
    if (part.kind === "rows") await loading?.load(part.rows);
    if (part.kind === "end") last = part;
  }
  if (contents === undefined || last === undefined) throw new TransferError("the file is damaged: it has no end");
  loading?.end();
  return { contents, end: last.end, lastPosition: last.lastPosition };
}

/** Refuses a database that holds anything. */
async function refuseUsed(read: Reader): Promise<void> {
  const fix = "name an empty database, or another data directory";
  const instances = await listMovedInstances(read, undefined);
  const [first] = instances;
  if (first !== undefined) {
    const named = instances.map(({ instanceId, name }) => `${name} (${instanceId})`).join(", ");
    throw new TransferError(`the database already has instance ${named}`, { fix });
  }
  for (const table of exportedTables) {
    if (await hasRows(read, table)) throw new TransferError(`the database is not empty: it has ${table.name}`, { fix });
  }
}

/** Inserts the rows of one table after another. */
class Loading {
  readonly #loader: Loader;
  readonly #vault: Pick<Vault, "encrypt">;
  readonly #missing = new Set<string>(exportedTables.map(({ name }) => name));
  #table: { readonly table: ExportedTable; readonly sealed: ReadonlyMap<number, SealedValue> } | undefined;

  constructor(loader: Loader, vault: Pick<Vault, "encrypt">) {
    this.#loader = loader;
    this.#vault = vault;
  }

  begin(name: string, columns: readonly string[]): void {
    const table = exportedTables.find((each) => each.name === name);
    if (table === undefined || columnsOf(table).join() !== columns.join()) {
      throw new TransferError(`this program does not have table ${name} as it is in the file`, {
        fix: "use the build that made the file",
      });
    }
    this.#missing.delete(name);
    this.#table = { table, sealed: new Map(sealedValuesOf(table).map((value) => [value.index, value])) };
  }

  async load(rows: readonly (readonly FileValue[])[]): Promise<void> {
    if (this.#table === undefined) throw new Error("rows without a table");
    const { table, sealed } = this.#table;
    await insertRows(
      this.#loader,
      table,
      rows.map((row) => this.#seal(table, sealed, row)),
    );
  }

  end(): void {
    const [missing] = this.#missing;
    if (missing !== undefined) throw new TransferError(`the file has no table ${missing}`);
  }

  #seal(table: ExportedTable, sealed: ReadonlyMap<number, SealedValue>, row: readonly FileValue[]): SqlValue[] {
    return row.map((value, index) => {
      const column = sealed.get(index);
      if (typeof value === "object" && value !== null) {
        if (column === undefined)
          throw new TransferError(`the file is damaged: a row of ${table.name} has a sealed value`);
        return value.sealed;
      }
      if (column === undefined || typeof value !== "string" || value === "") return value;
      return this.#vault.encrypt(value, column.contextOf(row));
    });
  }
}
