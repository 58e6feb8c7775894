import { type Database, join, type Sql, sql, text } from "../../../src/database/index.ts";

/** Tables with columns that only a later generation of the API may know in full: documents, and switches. */
const tables = {
  settings: ["instance_id", "organization_id", "kind"],
  applications: ["instance_id", "application_id"],
  identity_providers: ["instance_id", "identity_provider_id"],
  message_providers: ["instance_id", "provider_id"],
  projects: ["instance_id", "project_id"],
  users: ["instance_id", "user_id"],
  organization_settings: ["instance_id", "organization_id"],
} as const;

type Table = keyof typeof tables;
type Leaf = string | number | boolean | null | readonly unknown[];

/** Splits a row into its parts: `configuration.scopes` is one of them. */
export interface Parts {
  readonly table: Table;
  readonly keys: readonly string[];
  readonly parts: ReadonlyMap<string, Leaf>;
}

/** Returns all rows by their keys. */
export type Snapshot = ReadonlyMap<string, Parts>;

const isDocument = (value: unknown): value is string => typeof value === "string" && /^[{[]/.test(value);

export async function takeSnapshot({ read }: Database): Promise<Snapshot> {
  const found = new Map<string, Parts>();
  for (const [table, keys] of Object.entries(tables) as [Table, readonly string[]][]) {
    for (const row of await read.all<Record<string, unknown>>(sql`select * from ${text(table)}`)) {
      const values = keys.map((key) => String(row[key]));
      const parts = new Map<string, Leaf>();
      for (const [column, value] of Object.entries(row)) {
        if (isDocument(value)) collect(parts, column, JSON.parse(value));
        else if (column.startsWith("is_")) parts.set(column, Number(value));
      }
      found.set(`${table} ${values.join(" ")}`, { table, keys: values, parts });
    }
  }
  return found;
}

function collect(parts: Map<string, Leaf>, path: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) parts.set(path, value as Leaf);
  else for (const [name, each] of Object.entries(value)) collect(parts, `${path}.${name}`, each);
}

/** Sets parts of a row behind the server's back. */
export async function putParts(
  database: Database,
  { table, keys, parts }: Parts,
  changes: ReadonlyMap<string, Leaf>,
): Promise<void> {
  const columns = new Set([...changes.keys()].map((path) => path.split(".", 1)[0] ?? ""));
  const all = new Map([...parts, ...changes]);
  for (const column of columns) {
    const whole = all.has(column) ? all.get(column) : assemble(all, column);
    const value = typeof whole === "object" && whole !== null ? JSON.stringify(whole) : (whole as number);
    const names = tables[table];
    const isRow = names.map((name, index): Sql => sql`${text(name)} = ${keys[index] ?? ""}`);
    await database.touch(instanceCall(keys[0] ?? ""), (tx) =>
      tx.run(
        sql`update ${text(table)} set ${text(column as "configuration")} = ${value} where ${join(isRow, " and ")}`,
      ),
    );
  }
}

function assemble(parts: ReadonlyMap<string, Leaf>, column: string): object {
  const document: Record<string, unknown> = {};
  for (const [path, value] of parts) {
    const [first, ...names] = path.split(".");
    if (first !== column) continue;
    const last = names.pop() ?? "";
    let at = document;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return document;
}

const instanceCall = (instanceId: string) => ({ instanceId, requestId: "test", now: 0, language: "en" }) as const;

/** Returns another valid value for a part; undefined when none is known. */
export function unusual(value: Leaf): Leaf | undefined {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value === 0 || value === 1 ? 1 - value : value + 1;
  if (Array.isArray(value)) return value.length > 1 ? value.slice(1) : undefined;
  if (value === "") return undefined;
  return typeof value === "string" && value.startsWith("https://") ? `${value}planted` : undefined;
}
