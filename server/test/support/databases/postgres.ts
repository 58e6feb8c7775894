import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { embeddedPostgres } from "./embedded-postgres.ts";
import { memoryDirectory } from "./memory-directory.ts";

/** A PostgreSQL server of our own, for tests. */
export interface PostgresServer {
  /** Of its database `postgres`, as a user who may do everything. */
  readonly url: string;
  /** Directory of its unix socket, and of everything that it has. */
  readonly directory: string;
  /** The process that started the server. */
  readonly pid: number | undefined;
  /** Ends the server as a crash would (`pg_ctl stop -m immediate`). */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  start(): Promise<void>;
  /** Ends the server and removes what it left. */
  stop(): Promise<void>;
}

export const howToEnable =
  "install PostgreSQL (Debian: apt-get install postgresql), or set DOORWARD_TEST_POSTGRES_URL to a server where the user may create databases";

/** Whether tests can have a PostgreSQL server. */
export function hasPostgres(): boolean {
  return Boolean(process.env["DOORWARD_TEST_POSTGRES_URL"]) || findBinaries() !== undefined;
}

let shared: Promise<PostgresServer> | undefined;

/**
 * The server that the tests of this process use: the one of `DOORWARD_TEST_POSTGRES_URL`, which the test runner sets,
 * else one that is started now and ends with the process.
 */
export async function postgresUrl(): Promise<string> {
  const given = process.env["DOORWARD_TEST_POSTGRES_URL"];
  if (given) return given;
  shared ??= startPostgres();
  return (await shared).url;
}

/**
 * Starts a server on a unix socket in a directory of its own. It ends when `stop` is called, or when this process ends
 * in any way: the shell between waits for its input to close. Without `isDurable` it does not wait for the disk;
 * `settings` are of the form `name=value`.
 */
export async function startPostgres(
  options: { readonly isDurable?: boolean; readonly settings?: readonly string[] } = {},
): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error(`no PostgreSQL server found: ${howToEnable}`);
  const { isDurable = false, settings = [] } = options;
  // The path of a socket has to be short, which that of a temporary directory need not be.
  const directory = mkdtempSync(join((isDurable ? undefined : memoryDirectory()) ?? "/tmp", "doorward-pg-"));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const made = spawnSync(
    join(binaries, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"],
    { ...user, cwd: directory, encoding: "utf8", env: { ...process.env, HOME: directory } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
  const unsafe = isDurable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_wal_size=256MB"];
  const command = [
    join(binaries, "postgres"),
    "-D",
    data,
    "-k",
    directory,
    "-c",
    "listen_addresses=",
    "-c",
    "max_connections=300",
    ...unsafe,
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
  const url = `postgres://postgres@localhost/postgres?host=${directory}`;
  let child = launch(directory, command, user);
  await answers(url, directory);
  return {
    url,
    directory,
    get pid() {
      return child.pid;
    },
    async crash() {
      const exited = ended(child);
      const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, "SIGQUIT");
      child.stdin?.end("keep\n");
      await exited;
    },
    async start() {
      child = launch(directory, command, user);
      await answers(url, directory);
    },
    async stop() {
      const exited = ended(child);
      child.stdin?.end();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

// Keeps the server until its input closes, however the process at the other end ended.
const keeper = `
  exec 3<&0
  directory=$1; shift
  "$@" </dev/null 3<&- >>"$directory/log" 2>&1 &
  server=$!
  trap "" INT TERM HUP
  read word <&3
  kill -INT $server 2>/dev/null
  wait $server
  [ "$word" = keep ] || rm -rf "$directory"`;

function launch(directory: string, command: readonly string[], user: Identity | undefined): ChildProcess {
  const child = spawn("/bin/sh", ["-c", keeper, "sh", directory, ...command], {
    ...user,
    cwd: directory,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // The process of the tests may end while the server runs; that is what ends the server.
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}

async function answers(url: string, directory: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("select 1");
      return;
    } catch (error) {
      if (attempt > 500) throw new Error(`the server does not answer; see ${directory}/log`, { cause: error });
      await sleep(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

// At once when it has ended before, as after a crash.
const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.ref();
    child.once("exit", () => resolve());
  });

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

// The server refuses to run as root; `initdb` wants a user with a name.
function unprivilegedUser(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (user === undefined) throw new Error("the machine has neither a user postgres nor nobody to run PostgreSQL as");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function findBinaries(): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...onPath, ...versions.map((version) => join(debian, version, "bin"))];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  return found ?? embeddedPostgres();
}
