import process from "node:process";
import pg from "pg";

/** The PostgreSQL server on which databases are made. */
export interface Administration {
  run(statement: string): Promise<pg.QueryResult>;
  /** Connects to a database of the server. */
  addressOf(name: string): Promise<string>;
}

/** A database that a test has for itself. */
export interface KeptDatabase {
  readonly name: string;
  /** Takes it back, when all of its connections are closed. */
  giveBack(): Promise<void>;
}

/** What a source holds, as its first copy showed. */
interface Contents {
  readonly schema: string;
  readonly rows: ReadonlyMap<string, string>;
  /** The next position of the event feed. */
  readonly feed: string;
}

const free = new Map<string, string[]>();
const contents = new Map<string, Promise<Contents>>();
let count = 0;

/**
 * Takes a copy of a database. A copy that a test gave back is used again, with the rows of its source: to make one
 * takes about as long as a test. One whose schema, settings or statistics a test changed is dropped.
 */
export async function takeCopy(administration: Administration, source: string): Promise<KeptDatabase> {
  const name = free.get(source)?.pop() ?? (await copy(administration, source));
  const original = contents.get(source) ?? withConnection(administration, name, readContents);
  contents.set(source, original);
  await original;
  return { name, giveBack: () => giveBack(administration, source, name) };
}

async function copy(administration: Administration, source: string): Promise<string> {
  const name = `doorward_copy_${process.pid}_${++count}`;
  // Copying files is the cheaper way where the server does not wait for the disk, and where it can be told (PostgreSQL
  // 15).
  const { rowCount } = await administration.run(
    "select 1 where current_setting('server_version_num')::int >= 150000 and current_setting('fsync') = 'off'",
  );
  await administration.run(`create database ${name} template ${source}${rowCount === 0 ? "" : " strategy file_copy"}`);
  return name;
}

async function giveBack(administration: Administration, source: string, name: string): Promise<void> {
  const original = await contents.get(source);
  const isAsBefore =
    original !== undefined && (await withConnection(administration, name, (client) => refill(client, original)));
  if (!isAsBefore) {
    await administration.run(`drop database if exists ${name} with (force)`);
    return;
  }
  free.set(source, [...(free.get(source) ?? []), name]);
}

/** Drops the copies that are not in use: a server that outlives the process would keep them. */
export async function dropCopies(administration: Administration): Promise<void> {
  const names = [...free.values()].flat();
  free.clear();
  for (const name of names) await administration.run(`drop database if exists ${name} with (force)`);
}

async function withConnection<Result>(
  { addressOf }: Administration,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(await addressOf(name));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const schemaOf = `md5(concat(
  (select string_agg(concat(oid, relname, reloptions), ',' order by oid) from pg_class
    where relnamespace = 'public'::regnamespace),
  (select string_agg(concat(attrelid, attname, atttypid), ',' order by attrelid, attnum) from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')),
  (select string_agg(concat(oid, tgenabled), ',' order by oid) from pg_trigger),
  (select string_agg(oid::text, ',' order by oid) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'),
  (select string_agg(oid::text, ',' order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
  (select string_agg(setconfig::text, ',') from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database()),
  (select count(*) from pg_statistic where starelid in
    (select oid from pg_class where relnamespace = 'public'::regnamespace))))`;

async function readContents(client: pg.Client): Promise<Contents> {
  const { rows: tables } = await client.query<{ name: string }>(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by relname`);
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    const { rows: found } = await client.query<{ rows: string }>(
      `select coalesce(json_agg(t)::text, '[]') as rows from ${name} t`,
    );
    rows.set(name, found[0]?.rows ?? "[]");
  }
  const { rows: found } = await client.query<{ schema: string; feed: string }>(
    `select ${schemaOf} as schema, (select (last_value + is_called::int)::text from ${feedSequence}) as feed`,
  );
  if (found[0] === undefined) throw new Error("no row about the schema");
  return { rows, ...found[0] };
}

const feedSequence = "events_position_seq";

/** Gives a database the rows of its source again. False when more than rows was changed, or others still use it. */
async function refill(client: pg.Client, { schema, rows, feed }: Contents): Promise<boolean> {
  if (!(await isAlone(client))) return false;
  const { rows: found } = await client.query<{ touched: string[]; isAsBefore: boolean }>(
    `select ${schemaOf} = $1 as "isAsBefore",
      array(select relname::text from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0) as touched`,
    [schema],
  );
  const [state] = found;
  if (state?.isAsBefore !== true) return false;
  const statements = state.touched.map((name) => {
    const json = rows.get(name) ?? "[]";
    return json === "[]"
      ? ""
      : `insert into ${name} overriding system value
          select * from json_populate_recordset(null::${name}, ${client.escapeLiteral(json)})`;
  });
  await client.query(
    [
      "begin",
      // Without triggers, which would count rows a second time.
      "set local session_replication_role = replica",
      state.touched.length === 0 ? "" : `truncate ${state.touched.join(", ")}`,
      ...statements,
      `select setval('${feedSequence}', ${feed}, false)`,
      "commit",
      "select pg_stat_reset()",
    ]
      .filter((statement) => statement !== "")
      .join("; "),
  );
  return true;
}

// A process of the server ends a moment after its connection, and counts what it wrote when it ends.
async function isAlone(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return true;
    await client.query("select pg_sleep(0.002)");
  }
  return false;
}
