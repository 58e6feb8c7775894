import type pg from "pg";

/** Copies of a row of each table: in places of their own, in the same place, and in other instances. */
export const manyCopies = 1200;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isUnique: boolean;
}

// What many rows have in common in an installation with a single organization, project and application.
const shared = new Set(["organization_id", "owner_id", "project_id", "application_id", "client_id", "creator_id"]);

/** Keeps rows of all tables beside them, and empties the tables: as on the first day, and never analyzed. */
export async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    "select relname as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations' order by 1",
  );
  const tables = rows.map(({ table }) => table);
  await client.query("create schema kept");
  for (const table of tables) {
    // No statistics come by themselves, as in the minutes before the server's own job.
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await client.query(`create table kept.${table} as select * from ${table}`);
  }
  await client.query(`truncate ${tables.join(", ")}`);
  // An earlier owner of a copied database may have analyzed it.
  await client.query(
    "delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)",
  );
}

/**
 * Puts the kept rows back, not spent, and many like them; of a table as many of each kind as `copiesOf` says. A
 * statement that spends a row would otherwise end before it reads anything else.
 */
export async function growTables(
  client: pg.Client,
  copiesOf: (table: string) => number = () => manyCopies,
): Promise<void> {
  const { rows } = await client.query<Column>(columnsOfTables);
  const columns = Map.groupBy(rows, ({ table }) => table);
  await client.query("set session_replication_role = replica");
  for (const [table, ofTable] of columns) {
    const names = ofTable.map(({ column }) => column).join(", ");
    await client.query(`insert into ${table} (${names}) overriding system value select ${names} from kept.${table}`);
    for (const kind of kindsOf(table)) {
      const values = ofTable.map((column) => copyOf(column, kind)).join(", ");
      await client.query(`insert into ${table} (${names}) overriding system value select ${values}
        from (select * from kept.${table} limit 1) kept, generate_series(1, ${copiesOf(table)}) n on conflict do nothing`);
    }
  }
  for (const { table, column } of rows) {
    if (column === "consumed_at") await client.query(`update ${table} set consumed_at = null`);
  }
  await client.query("reset session_replication_role");
}

/** An organization has few domains, and an instance has few hosts. */
const kindsOf = (table: string): readonly Kind[] =>
  table.endsWith("_domains") ? ["elsewhere"] : ["alone", "together", "elsewhere"];

type Kind = "alone" | "together" | "elsewhere";

const columnsOfTables = `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
    exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)) as "isUnique"
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`;

/** An expression for the value of a copied row. Copies point at one another as the rows that they were made from. */
function copyOf({ column, type, isUnique }: Column, kind: Kind): string {
  if (column === "instance_id") return kind === "elsewhere" ? "instance_id || '~' || n % 100" : "instance_id";
  if (type === "xid8") return column;
  if (type === "bigint")
    return isUnique && /position|sequence/.test(column) ? `${column} + n::bigint * 1000 + ${offsets[kind]}` : column;
  if (kind === "together" && shared.has(column)) return column;
  const isReference = /_(id|hash|key|thumbprint|domain)$|^(id|domain|host|username|email|preferred_login_name)$/.test(
    column,
  );
  if (isReference) return `case when ${column} = '' then '' else ${column} || '${kind[0]}' || n end`;
  return column;
}

const offsets = { alone: 100_000_000, together: 200_000_000, elsewhere: 300_000_000 } as const;
