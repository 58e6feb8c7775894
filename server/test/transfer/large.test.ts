import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Config } from "../../src/config/index.ts";
import { type DatabaseLocation, openDatabase, sql } from "../../src/database/index.ts";
import { isLong } from "../support/data/random.ts";
import { makeEmptyPostgres, onPostgres } from "../support/databases/databases.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { askCommand, makeDirectory, runCommand, startCommand } from "../support/servers/command.ts";
import { exportFrom, importInto, makeMasterKey } from "./support/transfer.ts";

// In full (`--whole`) as many as an installation of some size has; the memory that a part of them takes is that of the
// pictures.
const userCount = isLong() ? 100_000 : 30_000;
// Enough to be killed in the middle.
const fewerUsers = isLong() ? 20_000 : 10_000;

/** A database with many users, each with a password hash and the event of their creation. */
async function makeLarge(t: TestContext, count: number, config: Partial<Config> = {}) {
  const server = await startOidcServer(t, { config });
  await server.app.close();
  const database = new DatabaseSync(join(server.location.directory ?? "", "doorward.db"));
  database.function("lower", { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text));
  const hash = `$argon2id$v=19$m=19456,t=2,p=1$${"c2FsdHNhbHRzYWx0c2FsdA"}$${"a".repeat(43)}`;
  database.exec("begin");
  database
    .prepare(
      `with recursive n (n) as (select 1 union all select n + 1 from n where n < ?)
        insert into users (instance_id, user_id, organization_id, kind, state, username, username_key,
          preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name,
          email, email_key, password_hash, is_email_verified, is_phone_verified, is_password_change_required,
          failed_password_checks)
        select instance_id, '9' || (100000000000 + n), organization_id, 'human', 'active', 'user' || n, 'user' || n,
          'user' || n || '@acme.example', 'user' || n || '@acme.example', 'Given' || n || ' Family' || (n % 1000), 1, 1, 1,
          'Given' || n, 'Family' || (n % 1000), 'user' || n || '@mail.example', 'user' || n || '@mail.example', ?, 1, 0, 0, 0
        from n, (select instance_id, default_organization_id as organization_id from instances)`,
    )
    .run(count, hash);
  database.exec(`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, request_id,
      created_at)
    select instance_id, 'user', user_id, 1, 'user.created', organization_id, '{"username":"' || username || '"}', 'test', 1
    from users where length(user_id) = 13 order by user_id`);
  database.exec("commit");
  database.close();
  return server;
}

/** Gives users pictures of the largest size, which hardly compress. */
function addPictures(directory: string, count: number): void {
  const database = new DatabaseSync(join(directory, "doorward.db"));
  database.exec(`insert into user_avatars (instance_id, user_id, file_name, content_type, content, created_at)
    select instance_id, user_id, user_id || '.png', 'image/png', hex(randomblob(350000)), 1
    from (select instance_id, user_id from users where length(user_id) = 13 order by user_id limit ${count})`);
  database.close();
}

async function usersAt(location: DatabaseLocation): Promise<number> {
  const database = await openDatabase({ ...location, warn: () => {} });
  try {
    const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from users`);
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
}

test("many users move, at 10,000 a second or more on SQLite, and in little memory", async (t) => {
  const server = await makeLarge(t, userCount);
  const { vault } = server.app.domain;
  const directory = makeDirectory(t);
  const before = process.cpuUsage();
  const { file, digest } = await exportFrom(server.location, vault);
  const exported = process.cpuUsage(before);
  const target = makeMasterKey();
  const start = process.cpuUsage();
  await importInto({ directory: join(directory, "timed") }, file, target);
  const imported = process.cpuUsage(start);
  const seconds = (imported.user + imported.system) / 1e6;
  t.diagnostic(`export ${(exported.user + exported.system) / 1e6} s, ${file.length} bytes; import ${seconds} s`);
  assert.ok(userCount / seconds >= 10_000, `${Math.round(userCount / seconds)} users in a second of the processor`);
  assert.equal((await exportFrom({ directory: join(directory, "timed") }, target.vault)).digest, digest);

  // As programs, with a heap that holds a fraction of the content.
  addPictures(join(directory, "timed"), 200);
  const large = await exportFrom({ directory: join(directory, "timed") }, target.vault);
  const key = join(directory, "key");
  writeFileSync(key, Buffer.from("the key of a test, 32 characters").toString("base64"));
  const NODE_OPTIONS = "--max-old-space-size=96";
  const source = { DOORWARD_DATA_DIR: join(directory, "timed"), DOORWARD_MASTER_KEY: target.setting.reveal() };
  const output = join(directory, "large.export");
  const made = await askCommand(t, ["export", "--output", output, "--key-file", key], {
    environment: { ...source, NODE_OPTIONS },
    isAlone: true,
  });
  assert.equal(made.digest, large.digest);
  const checked = await askCommand(t, ["import", output, "--check", "--key-file", key], {
    environment: { NODE_OPTIONS },
    isAlone: true,
  });
  assert.equal(checked.rows.users, made.rows.users);

  const importing = (at: Readonly<Record<string, string>>) => ({
    args: ["import", output, "--key-file", key],
    options: { environment: { ...at, DOORWARD_MASTER_KEY: target.setting.reveal(), NODE_OPTIONS }, isAlone: true },
  });

  await t.test("an import that is killed leaves nothing, and is repeated (sqlite)", async (t) => {
    const at = join(directory, "killed");
    const { args, options } = importing({ DOORWARD_DATA_DIR: at });
    const unfinished = join(at, "doorward.db.import");
    const running = startCommand(t, args, options);
    for (;;) {
      if (existsSync(unfinished) && statSync(unfinished).size > 5_000_000) break;
      assert.equal(running.child.exitCode, null, "it ended before it could be killed");
      await new Promise((wait) => setTimeout(wait, 5));
    }
    await running.stop("SIGKILL");
    assert.ok(!existsSync(join(at, "doorward.db")));
    const done = await askCommand(t, args, options);
    assert.equal(done.digest, made.digest);
    assert.equal(await usersAt({ directory: at }), made.rows.users);
  });
});

onPostgres(() => {
  test("an import that is killed leaves nothing, and is repeated", async (t) => {
    const source = makeMasterKey();
    const server = await makeLarge(t, fewerUsers, { masterKeys: [source.setting] });
    addPictures(server.location.directory ?? "", 40);
    const directory = makeDirectory(t);
    const [key, output, target] = [join(directory, "key"), join(directory, "large.export"), makeMasterKey()];
    writeFileSync(key, Buffer.from("the key of a test, 32 characters").toString("base64"));
    const environment = {
      DOORWARD_DATA_DIR: server.location.directory ?? "",
      DOORWARD_MASTER_KEY: source.setting.reveal(),
    };
    const made = await askCommand(t, ["export", "--output", output, "--key-file", key], { environment });
    const url = await makeEmptyPostgres(t);
    const options = {
      environment: { DOORWARD_DATABASE_URL: url, DOORWARD_MASTER_KEY: target.setting.reveal() },
      isAlone: true,
    };
    const running = startCommand(t, ["import", output, "--key-file", key], options);
    await running.printed(/loaded .* rows/);
    await running.stop("SIGKILL");
    assert.equal(await usersAt({ url }), 0);
    const begin = performance.now();
    const done = await runCommand(t, ["import", output, "--key-file", key, "--json"], options);
    assert.equal(done.code, 0, done.stderr);
    t.diagnostic(`${Math.round(fewerUsers / ((performance.now() - begin) / 1000))} users a second`);
    assert.equal(JSON.parse(done.stdout).digest, made.digest);
    assert.equal(await usersAt({ url }), made.rows.users);
  });
});
