import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeEmptyPostgres } from "../../support/databases/databases.ts";
import { makeDirectory } from "../../support/servers/command.ts";
import type { Query } from "./half-effects.ts";

/** Where the data of a server lives that is killed and started again. */
export interface CrashLocation {
  readonly directory: string;
  /** Settings that lead the server to its database. */
  readonly environment: Readonly<Record<string, string>>;
  /** Queries the database as the dead server left it, without changing it. */
  inspect<Result>(look: (query: Query) => Promise<Result>): Promise<Result>;
}

export async function makeCrashLocation(t: TestContext, engine: "sqlite" | "postgres"): Promise<CrashLocation> {
  // On a disk, as a server has it that promises to lose nothing.
  const directory = makeDirectory(t, tmpdir());
  if (engine === "postgres") return postgresLocation(directory, await makeEmptyPostgres(t));
  return {
    directory,
    environment: { DOORWARD_DATA_DIR: join(directory, "data") },
    inspect: (look) => inspectCopy(join(directory, "data"), look),
  };
}

// A copy, because opening the files of a dead process repairs them first, and the server shall do that.
async function inspectCopy<Result>(data: string, look: (query: Query) => Promise<Result>): Promise<Result> {
  const copy = mkdtempSync(join(data, "../copy-"));
  try {
    for (const name of ["doorward.db", "doorward.db-wal"]) {
      if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copy, name));
    }
    const database = new DatabaseSync(join(copy, "doorward.db"));
    try {
      const [integrity] = database.prepare("pragma integrity_check").all();
      assert.deepEqual({ ...integrity }, { integrity_check: "ok" });
      return await look(async (statement) => database.prepare(statement).all());
    } finally {
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function postgresLocation(directory: string, url: string): CrashLocation {
  return {
    directory,
    environment: { DOORWARD_DATABASE_URL: url },
    inspect: async (look) => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await othersGone(client);
        return await look(async (statement) => (await client.query<object>(statement)).rows);
      } finally {
        await client.end();
      }
    },
  };
}

/** A running statement ends after its client died; until then, what is read may still change. */
async function othersGone(client: pg.Client): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return;
    assert.ok(waited < 10_000, "connections of the dead server stay");
    await sleep(20);
  }
}
