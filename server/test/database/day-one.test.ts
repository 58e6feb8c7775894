import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type DatabaseLocation, type Sql, sql } from "../../src/database/index.ts";
import { clientSettings, keyedSettings } from "../../src/database/postgres/settings.ts";
import { mayShare, sharedQuery } from "../../src/database/postgres/shared-query.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { noteStatements } from "../support/databases/noted-statements.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { emptyTables, growTables, manyCopies } from "./day-one/grown-tables.ts";
import { costOf, type PlanNode } from "./day-one/plan-cost.ts";
import { prepareWalk, walk } from "./day-one/walk.ts";

/** A statement of the walk, by the name under which a connection has prepared it. */
interface Noted {
  readonly name: string;
  readonly text: string;
  readonly values: Sql["values"];
  /** How many reads of the walk it is. */
  readonly reads: number;
  /** Whether the product reads it by key (`byKey`). */
  readonly isKeyed: boolean;
}

/** Connections as the product has them. */
interface Connections {
  readonly keyed: pg.Client;
  readonly others: pg.Client;
}

// PostgreSQL keeps a plan for all parameters from the sixth execution on.
const executionsUntilKept = 7;
const sharedReads = 16;
const fewRows = new Set(["organizations", "sessions", "users"]);
const most = { buffers: 100, rows: 200 } as const;

interface Bounds {
  readonly buffers: number;
  readonly rows: number;
}

// Totals, pages and leading reads of lists may read as much as they count or sort (`user/large-list.test.ts`).
const isList = ({ text }: Noted): boolean =>
  /"listTotal"|as "weight"|select 1 as "one" from|select 1 as "one" from|\bas "id"\s+from\b|^select e\.type,/.test(
    text,
  );

onPostgres((open) => {
  test("codes and refresh tokens read as few rows while an instance has few users, which nothing analyzes", async (t) => {
    const { location, noted } = await noteWalk(t);
    const redemptions = noted.filter(({ text }) => text.startsWith("with spent as"));
    assert.ok(redemptions.length >= 2, `${redemptions.length} statements`);

    const administrator = await connect({ connectionString: location.url ?? "" });
    await emptyTables(administrator);
    await growTables(administrator, (table) => (fewRows.has(table) ? 30 : manyCopies));
    const young = await connectBoth(location.url ?? "", "force_generic_plan");
    for (const each of redemptions) await execute(young, each);
    assert.deepEqual(await excessive(young, redemptions, { buffers: 60, rows: 20 }), []);
    for (const client of [administrator, young.keyed, young.others]) await client.end();
  });

  test("reads by key multiply no rows while everything is small, whichever tables are analyzed", async (t) => {
    const { location, noted } = await noteWalk(t);
    const keyed = noted.filter(({ isKeyed }) => isKeyed);
    assert.ok(keyed.length >= 6, `${keyed.length} statements`);

    const administrator = await connect({ connectionString: location.url ?? "" });
    await emptyTables(administrator);
    await growTables(administrator, () => 30);
    const young = await connectBoth(location.url ?? "", "force_generic_plan");
    for (const each of keyed) await execute(young, each);
    // One table may be read whole, but not once for each row of another one.
    const bounds = { buffers: 60, rows: 100 };
    assert.deepEqual(await excessive(young, keyed, bounds), []);
    for (const tables of ["users", "users, organizations, access_tokens", ""]) {
      await administrator.query(`analyze ${tables}`);
      assert.deepEqual(await excessive(young, keyed, bounds), [], `analyzed: ${tables}`);
    }
    for (const client of [administrator, young.keyed, young.others]) await client.end();
  });

  test("statements of requests read few rows on the first day, however their plans came about", async (t) => {
    const { location, noted } = await noteWalk(t);
    const keyed = noted.filter((each) => !isList(each));
    assert.ok(keyed.length > 80, `${keyed.length} statements`);
    const shared = keyed.filter(({ reads }) => reads > 1);
    assert.ok(shared.length >= 3, `${shared.length} statements of shared reads`);

    const { url = "" } = location;
    const administrator = await connect({ connectionString: url });
    await emptyTables(administrator);
    const old = await connectBoth(url);
    for (const each of noted) {
      for (let count = 0; count < executionsUntilKept; count++) await execute(old, each);
    }
    await growTables(administrator);

    const stale = await excessive(old, keyed);
    assert.ok(stale.length > 10, "plans from empty tables are not what this test is about any more");

    const young = await connectBoth(url, "force_generic_plan");
    for (const each of keyed) await execute(young, each);
    assert.deepEqual(await excessive(young, keyed), [], "planned without statistics");

    // Any commit makes a node look for tables that have grown.
    const database = await open(t, { at: location });
    await database.touch(testCall(), async (tx) => {
      await tx.run(sql`update instances set changed_at = changed_at where instance_id = ${tx.instanceId}`);
    });
    await untilAnalysed(administrator);
    assert.deepEqual(await excessive(old, keyed), [], "planned while the tables were empty");
    assert.deepEqual(await excessive(young, keyed), [], "planned without statistics, then with them");

    await administrator.query("drop index users_by_login_name_key");
    assert.notDeepEqual(await excessive(young, keyed), [], "an index is missing, and nothing tells");
    for (const client of [administrator, old.keyed, old.others, young.keyed, young.others]) await client.end();
  });
});

/** Walks through the product, and returns the statements of its requests; the server is closed. */
async function noteWalk(
  t: TestContext,
): Promise<{ readonly location: DatabaseLocation; readonly noted: readonly Noted[] }> {
  const server = await startOidcServer(t, { engine: "postgres" });
  // Their statements are for all instances.
  await server.app.jobs.stop();
  const walkers = await prepareWalk(server);
  const byText = new Map<string, Sql>();
  noteStatements(server.app.domain.database, (statement) => void byText.set(statement.shape.postgres, statement));
  await walk(server, walkers);
  await server.app.close();
  return { location: server.location, noted: [...byText.values()].flatMap(toNoted) };
}

/** Notes a statement, and beside it the one that several of its reads share. */
function toNoted(statement: Sql, index: number): readonly Noted[] {
  const alone = {
    name: `s${index}`,
    text: statement.shape.postgres,
    values: statement.values,
    reads: 1,
    isKeyed: false,
  };
  if (statement.sharedIn === undefined) return [alone];
  // Connections keep a text after a few uses.
  const uses = Array.from({ length: 5 }, () => mayShare(statement));
  assert.ok(uses.at(-1), `not shared: ${alone.text}`);
  const { text, values = [] } = sharedQuery(new Array<Sql>(sharedReads).fill(statement));
  return [
    { ...alone, isKeyed: true },
    { name: `r${index}`, text, values: values as Sql["values"], reads: sharedReads, isKeyed: true },
  ];
}

async function connectBoth(url: string, planCacheMode = "auto"): Promise<Connections> {
  const settings = clientSettings(url);
  const both = { keyed: await connect(keyedSettings(settings)), others: await connect(settings) };
  for (const client of Object.values(both)) await client.query(`set plan_cache_mode = ${planCacheMode}`);
  return both;
}

async function connect(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  await client.connect();
  return client;
}

/** Executes a statement as the product does, prepared by name, and takes back what it wrote. */
async function execute({ keyed, others }: Connections, { name, text, values, isKeyed }: Noted): Promise<void> {
  const client = isKeyed ? keyed : others;
  await client.query("begin");
  await client.query({ name, text, values: [...values] }).catch(onlyOfDuplicates);
  await client.query("rollback");
}

/** Returns those of the prepared statements that read more than they need, with the step that does. */
async function excessive(
  { keyed, others }: Connections,
  statements: readonly Noted[],
  bounds: Bounds = most,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, text, values, reads, isKeyed } of statements) {
    const client = isKeyed ? keyed : others;
    const literals = values.map((value) =>
      typeof value === "string" ? client.escapeLiteral(value) : (value ?? "null"),
    );
    const execution = `execute ${name}${literals.length === 0 ? "" : `(${literals.join(", ")})`}`;
    // After a plan has become invalid, the first execution also reads the catalog.
    await explain(client, execution);
    const plan = await explain(client, execution);
    if (plan === undefined) continue;
    const { buffers, rows: read, step } = costOf(plan);
    if (buffers > bounds.buffers * reads || read > bounds.rows * reads) {
      found.push(`${buffers} buffers, ${read} rows by ${step}: ${text.replaceAll(/\s+/g, " ")}`);
    }
  }
  return found;
}

/** Executes a statement, takes back what it wrote, and returns what it did; undefined when the row is there already. */
async function explain(client: pg.Client, execution: string): Promise<PlanNode | undefined> {
  await client.query("begin");
  const answer = await client.query(`explain (analyze, buffers, format json) ${execution}`).catch(onlyOfDuplicates);
  await client.query("rollback");
  return answer?.rows[0]["QUERY PLAN"][0].Plan as PlanNode | undefined;
}

// A row that the walk inserted is there already.
function onlyOfDuplicates(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError && error.code === "23505")) throw error;
}

async function untilAnalysed(client: pg.Client): Promise<void> {
  for (let count = 0; count < 600; count++) {
    const { rows } = await client.query(`select 1 from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and reltuples < 0 and pg_relation_size(oid) >= 4 * 8192`);
    if (rows.length === 0) return;
    await sleep(100);
  }
  assert.fail("the tables are not analysed");
}
