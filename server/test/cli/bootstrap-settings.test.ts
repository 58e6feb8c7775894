import assert from "node:assert/strict";
import { createPrivateKey, randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SignJWT } from "jose";
import { fetch } from "../support/http/fetch.ts";
import { makeDirectory, runCommand, type ServerProcess, startServerProcess } from "../support/servers/command.ts";

const apiScope = "openid urn:service:iam:org:project:id:service:aud";
const password = "correct horse battery";
const base = { DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"), DOORWARD_HOST: "127.0.0.1" };

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
async function call(server: ServerProcess, token: string, method: string, body: object): Promise<any> {
  const response = await fetch(`${server.origin}/service.${method}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

const checkPassword = (server: ServerProcess, token: string, loginName: string) =>
  call(server, token, "session.v2.SessionService/CreateSession", {
    checks: { user: { loginName }, password: { password } },
  });

test("the first administrator and service account are made of settings, on an empty database only", async (t) => {
  const directory = makeDirectory(t);
  const patFile = join(directory, "pat");
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, `${password}\n`);
  const environment = {
    ...base,
    DOORWARD_BOOTSTRAP_ORGANIZATION: "Acme Works",
    DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root",
    DOORWARD_BOOTSTRAP_ADMIN_EMAIL: "root@example.com",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE: passwordFile,
    DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: patFile,
  };
  const server = await startServerProcess(t, ["start"], { in: directory, environment });
  assert.equal(statSync(patFile).mode & 0o777, 0o600);
  const token = readFileSync(patFile, "utf8").trim();
  const { result } = await call(server, token, "user.v2.UserService/ListUsers", {});
  const [admin] = result.filter(({ username }: { username: string }) => username === "root");
  assert.equal(admin.preferredLoginName, "root@acme-works.localhost");
  assert.deepEqual(admin.human.email, {
    email: "root@example.com",
    isVerified: true,
    proof: { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", level: "CONTACT_PROOF_LEVEL_SYSTEM" },
  });
  assert.equal(admin.human.passwordChangeRequired, true, "the first password may stay");
  for (const loginName of ["root@acme-works.localhost", "root", "root@example.com"]) {
    assert.equal((await checkPassword(server, token, loginName)).status, 200, loginName);
  }
  const { result: organizations } = await call(server, token, "org.v2.OrganizationService/ListOrganizations", {});
  assert.deepEqual(
    organizations.map(({ name }: { name: string }) => name),
    ["Acme Works"],
  );
  await server.stop();

  const other = { ...environment, DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "second" };
  const again = await startServerProcess(t, ["start"], { in: directory, environment: other, port: server.port });
  assert.equal(readFileSync(patFile, "utf8").trim(), token, "the token was written again");
  const { result: users } = await call(again, token, "user.v2.UserService/ListUsers", {});
  assert.deepEqual(users.map(({ username }: { username: string }) => username).toSorted(), ["bootstrap", "root"]);
  await again.stop();
});

test("the forced change of the first password can be left out, and dev prints no setup link then", async (t) => {
  const directory = makeDirectory(t);
  const environment = {
    DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD: password,
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_CHANGE: "false",
  };
  const server = await startServerProcess(t, ["dev"], { in: directory, environment });
  assert.equal(server.ready.setup, undefined);
  const { token } = JSON.parse(readFileSync(join(directory, ".doorward/operator.json"), "utf8"));
  const { result } = await call(server, token, "user.v2.UserService/ListUsers", {});
  assert.deepEqual(
    result.map((user: { preferredLoginName: string; human: { passwordChangeRequired?: boolean } }) => [
      user.preferredLoginName,
      user.human.passwordChangeRequired ?? false,
    ]),
    [["root@doorward.localhost", false]],
  );
  assert.equal((await checkPassword(server, token, "root")).status, 200);
  const { stdout, stderr } = await server.stop();
  assert.ok(!(stdout + stderr).includes(password), "the password was printed");
});

test("the first service account gets a key in a file, with or without a token, once", async (t) => {
  const directory = makeDirectory(t);
  const keyFile = join(directory, "key.json");
  const environment = { ...base, DOORWARD_BOOTSTRAP_MACHINE_KEY_FILE: keyFile };
  const server = await startServerProcess(t, ["start"], { in: directory, environment });
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  const written = readFileSync(keyFile, "utf8");
  const { type, keyId, userId, key } = JSON.parse(written);
  assert.equal(type, "serviceaccount");
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid: keyId })
    .setIssuer(userId)
    .setSubject(userId)
    .setAudience(server.origin)
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(createPrivateKey(key));
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion, scope: apiScope };
  const answer = await fetch(`${server.origin}/oauth/v2/token`, { method: "POST", body: new URLSearchParams(grant) });
  assert.equal(answer.status, 200);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const { result } = await call(server, token, "user.v2.UserService/ListUsers", {});
  assert.deepEqual(result.map(({ username }: { username: string }) => username).toSorted(), ["bootstrap"]);
  const { result: tokens } = await call(server, token, "user.v2.UserService/ListPersonalAccessTokens", {});
  assert.deepEqual(tokens ?? [], []);
  await server.stop();
  const again = await startServerProcess(t, ["start"], { in: directory, environment, port: server.port });
  assert.equal(readFileSync(keyFile, "utf8"), written, "the key was written again");
  const { stdout, stderr } = await again.stop();
  assert.ok(!(stdout + stderr).includes("PRIVATE KEY"), "the key was printed");
});

test("nothing is made when the file for the first token cannot be written", async (t) => {
  const directory = makeDirectory(t);
  const environment = {
    ...base,
    DOORWARD_BASE_URL: "http://localhost",
    DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: join(directory, "missing/pat"),
  };
  const { code, stderr } = await runCommand(t, ["start"], { in: directory, environment });
  assert.equal(code, 2);
  assert.match(stderr, /DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE names .*missing\/pat, which cannot be written/);
  const patFile = join(directory, "pat");
  const server = await startServerProcess(t, ["start"], {
    in: directory,
    environment: { ...base, DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: patFile },
  });
  assert.match(readFileSync(patFile, "utf8"), /^dwp_/, "the instance was made without its token");
  await server.stop();
});
