import { type Clock, seconds } from "../../base/clock.ts";
import type { Config } from "../../config/index.ts";
import { type DatabaseLocation, type Inspection, inspectDatabase, planMigrations } from "../../database/index.ts";
import { explain } from "../explain.ts";
import { checkTransport } from "./check-transport.ts";
import { type Finding, findingsOf } from "./finding.ts";

const setting = "DOORWARD_DATABASE_URL";
const oldestPostgres = 15;
// Connections of a process: the pool of changes, reads, notifications.
const connectionsOfProcess = 13;
const { ok, warning, error } = findingsOf("database");

export interface DatabaseReport {
  readonly findings: readonly Finding[];
  /** The database, when it answers and its schema is this program's. The caller closes it. */
  readonly inspection: Inspection | undefined;
}

/** Checks that the database answers, stores what is written, and has our schema. */
export async function checkDatabase(config: Config, clock: Clock): Promise<DatabaseReport> {
  const { databaseUrl, dataDirectory } = config;
  const location = databaseUrl === undefined ? { directory: dataDirectory } : { url: databaseUrl.reveal() };
  let inspection: Inspection | undefined;
  try {
    inspection = await inspectDatabase(location);
    if (inspection === undefined) return { findings: [ok("it is made at the first start")], inspection };
    const findings = [...checkServer(config, inspection), ...(await checkClock(inspection, clock))];
    const { finding, isUsable } = await checkSchema(location);
    if (!isUsable) await inspection.close();
    const search = isUsable ? await checkSearch(inspection) : [];
    return { findings: [...findings, finding, ...search], inspection: isUsable ? inspection : undefined };
  } catch (failure) {
    await inspection?.close();
    const { problem, setting: decides = setting, fix = "check the address of the database" } = explain(failure);
    return { findings: [error(problem, decides, fix)], inspection: undefined };
  }
}

function checkServer({ workers, databaseUrl }: Config, { engine, version, settings }: Inspection): Finding[] {
  if (engine === "sqlite") return [ok(`embedded, SQLite ${version}`)];
  const findings: Finding[] = [];
  if (Number.parseInt(version, 10) < oldestPostgres) {
    findings.push(error(`PostgreSQL ${version} is too old`, setting, `use PostgreSQL ${oldestPostgres} or newer`));
  } else findings.push(ok(`PostgreSQL ${version}`));
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    if (settings[name] !== "off") continue;
    const message = `PostgreSQL has ${name} = off: what was answered can be lost when it fails`;
    findings.push(error(message, `${name} in postgresql.conf`, `set ${name} = on and reload the server`));
  }
  if (settings["server_encoding"] !== "UTF8") {
    const message = `the database is encoded in ${settings["server_encoding"]}`;
    findings.push(error(message, setting, "create one with: createdb --encoding UTF8 --template template0 <name>"));
  }
  const most = Number(settings["max_connections"]);
  if (workers * connectionsOfProcess > most - 3) {
    const message = `${workers} processes use up to ${workers * connectionsOfProcess} connections, and the server has ${most}`;
    findings.push(warning(message, "DOORWARD_WORKERS", "raise max_connections of the server, or use fewer processes"));
  }
  return [...findings, ...checkTransport(databaseUrl?.reveal() ?? "")];
}

async function checkClock(inspection: Inspection, clock: Clock): Promise<Finding[]> {
  const before = clock();
  const there = await inspection.now();
  if (there === undefined) return [];
  const here = (before + clock()) / 2;
  const difference = Math.round(Math.abs(there - here));
  const { ok: fine, error: wrong } = findingsOf("clock");
  if (difference < seconds(1)) return [fine(`${difference} ms from that of the database`)];
  const message = `the clock is ${(difference / 1000).toFixed(1)} s from that of the database`;
  return [
    wrong(
      message,
      "the clock of both machines",
      "synchronize them (NTP): otherwise tokens and codes expire early or late",
    ),
  ];
}

async function checkSchema(location: DatabaseLocation): Promise<{ finding: Finding; isUsable: boolean }> {
  const schema = findingsOf("schema");
  const pending = await planMigrations(location);
  if (pending.length === 0) return { finding: schema.ok("up to date"), isUsable: true };
  if (pending[0]?.number === 1) {
    return { finding: schema.ok("the database is empty; the first start fills it"), isUsable: false };
  }
  const list = pending.map(({ number, name }) => `${number} (${name})`).join(", ");
  const fix = "run doorward migrate, or start the server, which applies them itself";
  return { finding: schema.warning(`it lacks ${list}`, setting, fix), isUsable: false };
}

async function checkSearch(inspection: Inspection): Promise<Finding[]> {
  if (await inspection.searchesInTexts()) return [];
  const message =
    "the extension pg_trgm was not available when the schema was created: substring searches read all users";
  return [warning(message, setting, "create extension pg_trgm, then the index users_by_words of migration 0040")];
}
