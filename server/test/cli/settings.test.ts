import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { askCommand, makeDirectory, runCommand } from "../support/servers/command.ts";

test("config show tells what holds and where it was set, and masks every secret", async (t) => {
  const directory = makeDirectory(t);
  const password = "correct horse battery";
  const secrets = {
    DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
    DOORWARD_DATABASE_URL: "postgres://somebody:hidden-password@localhost/doorward",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE: join(directory, "password"),
  };
  writeFileSync(secrets.DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE, password);
  writeFileSync(join(directory, "doorward.yaml"), "workers: 3\n");
  const args = ["config", "show", "--config", "doorward.yaml", "--port", "9000"];
  const environment = { ...secrets, DOORWARD_LOG_LEVEL: "debug", DOORWARD_HOST: "" };
  const { settings } = await askCommand(t, args, { in: directory, environment });
  const find = (name: string) => settings.find(({ setting }: { setting: string }) => setting === name);
  assert.deepEqual(find("DOORWARD_PORT"), { setting: "DOORWARD_PORT", value: "9000", origin: "flag" });
  assert.deepEqual(find("DOORWARD_WORKERS"), { setting: "DOORWARD_WORKERS", value: "3", origin: "file" });
  assert.deepEqual(find("DOORWARD_LOG_LEVEL").origin, "DOORWARD_LOG_LEVEL");
  assert.deepEqual(find("DOORWARD_HOST"), { setting: "DOORWARD_HOST", value: "0.0.0.0", origin: "default" });
  assert.equal(find("DOORWARD_BOOTSTRAP_ADMIN_PASSWORD").origin, "DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE");
  const { stdout } = await runCommand(t, args, { in: directory, environment });
  for (const secret of [password, secrets.DOORWARD_MASTER_KEY, "hidden-password", "somebody"]) {
    assert.ok(!stdout.includes(secret) && !JSON.stringify(settings).includes(secret), `${secret} is shown`);
  }
});

test("config show --dev tells what dev would do", async (t) => {
  const { settings } = await askCommand(t, ["config", "show", "--dev", "--port", "9000"], { in: makeDirectory(t) });
  const values = Object.fromEntries(settings.map(({ setting, value }: Record<string, string>) => [setting, value]));
  assert.equal(values.DOORWARD_HOST, "127.0.0.1");
  assert.equal(values.DOORWARD_BASE_URL, "http://localhost:9000");
});

test("config show tells the defaults of the strict profile, and what goes before them", async (t) => {
  const shown = async (environment: Record<string, string>): Promise<unknown[]> => {
    const { settings } = await askCommand(t, ["config", "show"], { in: makeDirectory(t), environment });
    const values = Object.fromEntries(settings.map(({ setting, value }: Record<string, string>) => [setting, value]));
    return ["RATE_LIMIT_LOGIN", "RATE_LIMIT_TOKEN", "ASSERTION_AUDIENCE"].map((name) => values[`DOORWARD_${name}`]);
  };
  assert.deepEqual(await shown({}), ["300", "6000", "issuer-or-endpoints"]);
  const strict = { DOORWARD_PROFILE: "strict" };
  assert.deepEqual(await shown(strict), ["60", "1200", "issuer"]);
  const chosen = { DOORWARD_RATE_LIMIT_LOGIN: "90", DOORWARD_ASSERTION_AUDIENCE: "issuer-or-endpoints" };
  assert.deepEqual(await shown({ ...strict, ...chosen }), ["90", "1200", "issuer-or-endpoints"]);
});

test("config check tells everything that is wrong at once, and which names are not settings", async (t) => {
  const environment = {
    DOORWARD_WORKERS: "many",
    DOORWARD_TRUSTED_PROXIES: "everybody",
    DOORWARD_OUTBOUND_ALLOW: "https://hooks.internal",
    DOORWARD_NAMESPACE_ALIASES: "acme,x/y",
    DOORWARD_BASEURL: "x",
  };
  const { code, stdout, stderr } = await runCommand(t, ["config", "check", "--json"], {
    in: makeDirectory(t),
    environment,
  });
  assert.equal(code, 2);
  const { ok, problems, unknown } = JSON.parse(stdout);
  assert.equal(ok, false);
  assert.deepEqual(problems.map(({ setting }: { setting: string }) => setting).toSorted(), [
    "DOORWARD_BASE_URL",
    "DOORWARD_MASTER_KEY",
    "DOORWARD_NAMESPACE_ALIASES",
    "DOORWARD_OUTBOUND_ALLOW",
    "DOORWARD_TRUSTED_PROXIES",
    "DOORWARD_WORKERS",
  ]);
  assert.deepEqual(unknown, ["DOORWARD_BASEURL"]);
  for (const { fix } of problems) assert.ok(fix.length > 10, "a problem without a fix");
  assert.match(stderr, /DOORWARD_BASEURL/);
  assert.equal((await runCommand(t, ["config", "check", "--dev"], { in: makeDirectory(t) })).code, 0);
});

test("a file of settings is refused when it has one that does not exist", async (t) => {
  const directory = makeDirectory(t);
  writeFileSync(join(directory, "doorward.yaml"), "prot: 80\n");
  const { code, stderr } = await runCommand(t, ["config", "show", "--config", "doorward.yaml"], { in: directory });
  assert.equal(code, 2);
  assert.match(stderr, /prot in doorward\.yaml is not a setting/);
});

test("migrate plans without changing anything, applies, and then finds nothing to do", async (t) => {
  const directory = makeDirectory(t);
  const plan = await askCommand(t, ["migrate", "--plan"], { in: directory });
  assert.equal(plan.pending[0], "0001_events");
  assert.deepEqual(await askCommand(t, ["migrate", "--plan"], { in: directory }), plan, "planning changed something");
  assert.deepEqual(await askCommand(t, ["migrate"], { in: directory }), { applied: plan.pending });
  assert.deepEqual(await askCommand(t, ["migrate"], { in: directory }), { applied: [] });
  assert.deepEqual(await askCommand(t, ["migrate", "--plan"], { in: directory }), { pending: [] });
});
