import assert from "node:assert/strict";
import { createPrivateKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { SignJWT } from "jose";
import type { Ending } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { freePort } from "../support/http/free-port.ts";
import {
  askCommand,
  type CommandOptions,
  makeDirectory,
  runCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
} from "../support/servers/command.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const password = "correct horse battery";

interface Workplace {
  readonly server: ServerProcess;
  readonly options: CommandOptions;
}

/** A development server that has an administrator. */
async function startWithAdministrator(t: Ending): Promise<Workplace> {
  const directory = makeDirectory(t);
  const environment = {
    DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD: password,
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_CHANGE: "false",
    DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: join(directory, "pat"),
  };
  const server = await startServerProcess(t, ["dev"], { in: directory, environment });
  return { server, options: { in: directory } };
}

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings) await end();
});
let shared: Promise<Workplace> | undefined;

/** The one that tests share which give their applications names of their own. */
const shareWithAdministrator = (): Promise<Workplace> =>
  (shared ??= startWithAdministrator({ after: (end) => void endings.push(end as () => unknown) }));

async function introspect(server: ServerProcess, client: { clientId: string; clientSecret: string }, token: string) {
  const credentials = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64");
  const response = await fetch(`${server.origin}/oauth/v2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ token }),
  });
  return (await response.json()) as { active: boolean; username?: string };
}

test("app create registers every type of application, and keeps what it needs to know for its owner alone", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const create = (name: string, ...rest: string[]) => askCommand(t, ["app", "create", name, ...rest], options);

  const web = await create("shop");
  assert.match(web.clientSecret, /^\w{64}$/);
  assert.deepEqual([web.issuer, web.redirectUris, web.notes], [server.origin, ["http://localhost:3000/callback"], []]);
  const file = join(options.in ?? "", ".doorward/apps/shop.env");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(
    readFileSync(file, "utf8"),
    new RegExp(`^ISSUER=${server.origin}\nCLIENT_ID=${web.clientId}\nCLIENT_SECRET=`),
  );

  const spa = await create("ui", "--type", "spa");
  assert.equal(spa.clientSecret, undefined);
  assert.match(spa.notes.join(), /development mode/);
  const deployed = await create("ui 2", "--type", "spa", "--redirect-uri", "https://ui.example.com/callback");
  assert.deepEqual([deployed.notes, deployed.postLogoutRedirectUris], [[], []]);
  const api = await create("api", "--type", "api", "--project", web.projectId);
  assert.equal(api.projectId, web.projectId);
  assert.match(api.clientSecret, /^\w{64}$/);
  assert.deepEqual(api.redirectUris, []);

  const login = await create("sign-in", "--type", "login");
  assert.match(login.loginToken, /^dwp_/);
  const env = readFileSync(join(options.in ?? "", ".doorward/apps/sign-in.env"), "utf8");
  assert.ok(env.includes(`LOGIN_TOKEN=${login.loginToken}\n`));
  const served = await create("served", "--login-uri", "http://localhost:4000");
  const query = new URLSearchParams({
    client_id: served.clientId,
    redirect_uri: "http://localhost:3000/callback",
    response_type: "code",
    scope: "openid",
  });
  const sent = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const asked = new URL(sent.headers.get("location") ?? "");
  assert.equal(asked.origin + asked.pathname, "http://localhost:4000/login");
  const authRequest = `${server.origin}/v2/oidc/auth_requests/${asked.searchParams.get("authRequest")}`;
  const body = JSON.stringify({ error: { error: "ERROR_REASON_ACCESS_DENIED" } });
  const headers = { authorization: `Bearer ${login.loginToken}`, "content-type": "application/json" };
  assert.equal((await fetch(authRequest, { method: "POST", headers, body })).status, 200);

  const taken = await runCommand(t, ["app", "create", "shop"], options);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /already has a project with this name/);
});

test("app create makes an MCP server ready: resource, API, and clients that register themselves", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const create = (name: string, ...rest: string[]) => askCommand(t, ["app", "create", name, ...rest], options);
  const uri = "http://localhost:1/mcp";
  const arguments_ = ["--type", "mcp-server", "--uri", uri, "--scope", "tools:read=Look at your tools"];
  const closed = await create("tools", ...arguments_, "tools:write", "--no-registration");
  assert.deepEqual([closed.notes, closed.resource.uri], [[], uri]);
  assert.deepEqual(closed.resource.scopes, ["tools:read", "tools:write"]);
  assert.equal(closed.resource.metadataUrl, "http://localhost:1/.well-known/oauth-protected-resource/mcp");
  const file = readFileSync(join(options.in ?? "", ".doorward/apps/tools.env"), "utf8");
  assert.ok(file.includes(`RESOURCE=${uri}\n`), file);
  const register = () =>
    fetch(`${server.origin}/oauth/v2/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: ["http://localhost:33418/callback"], token_endpoint_auth_method: "none" }),
    });
  assert.equal((await register()).status, 404);
  const second = ["--type", "mcp-server", "--uri", "http://localhost:2/mcp"];
  const open = await create("second", ...second);
  assert.match(open.notes.join("\n"), /turned on: any client may register itself.*metadata document.*whole instance/s);
  const registered = await register();
  assert.equal(registered.status, 201);
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri: "http://localhost:33418/callback",
    response_type: "code",
    resource: uri,
    scope: "tools:read",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const asked = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  assert.match(asked.headers.get("location") ?? "", /^\/ui\/login/);

  const spoken = await runCommand(
    t,
    ["app", "create", "third", ...second.slice(0, 3), "http://localhost:3/mcp"],
    options,
  );
  for (const words of [
    "Publish at http://localhost:3/.well-known",
    "WWW-Authenticate: Bearer resource_metadata=",
    "/introspect",
  ]) {
    assert.ok(spoken.stdout.includes(words), spoken.stdout);
  }
  assert.ok(!spoken.stdout.includes("turned on"), "nothing was left to turn on");
  for (const [wrong, message] of [
    [["--type", "mcp-server"], /needs an address/],
    [["--uri", uri], /are for servers that accept tokens/],
    [[...second.slice(0, 3), `${server.origin}/mcp`], /at a host of this service/],
  ] as const) {
    const refused = await runCommand(t, ["app", "create", "wrong", ...wrong], options);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, message);
  }
});

test("app create trusts an application with our APIs only when it is told to (A1)", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const plain = await askCommand(t, ["app", "create", "plain"], options);
  const trusted = await askCommand(t, ["app", "create", "console", "--trusted-for-api"], options);
  const token = readFileSync(join(options.in ?? "", "pat"), "utf8").trim();
  for (const [made, isTrusted] of [
    [plain, false],
    [trusted, true],
  ] as const) {
    const read = await fetch(`${server.origin}/service.application.v2.ApplicationService/GetApplication`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ applicationId: made.applicationId }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
    const { application } = (await read.json()) as any;
    assert.equal(application.oidcConfiguration.trustedForApi ?? false, isTrusted);
  }
});

test("app create holds an application to the FAPI 2.0 profile, and keeps its key for its owner alone", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const profile = ["--security-profile", "fapi2"];
  const address = ["--redirect-uri", "https://bank.example/callback"];
  const key = ["--key-file", "bank.json"];
  const make = ["app", "create", "bank"];
  for (const [wrong, message] of [
    [[...profile, ...key], /allows only https redirect addresses/],
    [[...profile, ...address], /name a file for it with --key-file/],
    [[...profile, ...key, "--type", "spa"], /only an application on a server/],
    [[...address, ...key], /add --security-profile fapi2/],
  ] as const) {
    const refused = await runCommand(t, [...make, ...wrong], options);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, message);
  }
  const made = await askCommand(t, [...make, ...profile, ...address, ...key], options);
  assert.deepEqual([made.securityProfile, made.keyFile, made.clientSecret], ["fapi2", "bank.json", undefined]);
  const file = join(options.in ?? "", "bank.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { key: pem, keyId } = JSON.parse(readFileSync(file, "utf8"));
  const environment = readFileSync(join(options.in ?? "", ".doorward/apps/bank.env"), "utf8");
  assert.match(environment, /^CLIENT_KEY_FILE=bank\.json$/m);

  const now = Math.floor(Date.now() / 1000);
  const push = async (parameters: Record<string, string>) => {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: "PS256", kid: keyId })
      .setIssuer(made.clientId)
      .setSubject(made.clientId)
      .setAudience(server.origin)
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(createPrivateKey(pem));
    const body = new URLSearchParams({
      redirect_uri: "https://bank.example/callback",
      response_type: "code",
      scope: "openid",
      client_assertion: assertion,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      ...parameters,
    });
    return (await fetch(`${server.origin}/oauth/v2/par`, { method: "POST", body })).status;
  };
  const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
  assert.deepEqual([await push(challenge), await push({})], [201, 400], "its key is good, and PKCE is demanded");
  const twice = await runCommand(t, ["app", "create", "bank 2", ...profile, ...address, ...key], options);
  assert.match(twice.stderr, /bank\.json already exists/);
});

test("app create without a development server needs a token, which goes to no other place than it was given for", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const elsewhere = { in: makeDirectory(t) };
  const lost = await runCommand(t, ["app", "create", "till"], elsewhere);
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /no development server runs on[\s\S]*DOORWARD_TOKEN[\s\S]*doorward dev/);

  // The token of the data directory is for that server alone.
  const other = await runCommand(t, ["app", "create", "till", "--url", "http://127.0.0.1:1"], options);
  assert.match(other.stderr, /no token for http:\/\/127\.0\.0\.1:1/);

  const pat = join(options.in ?? "", "pat");
  const byFile = ["--url", server.origin, "--token-file", pat, "--write-env", "till.env"];
  const { stdout, code } = await runCommand(t, ["app", "create", "till", ...byFile], elsewhere);
  assert.equal(code, 0);
  const written = join(elsewhere.in, "till.env");
  assert.match(readFileSync(written, "utf8"), /CLIENT_SECRET=[\w-]{43}/);
  assert.equal(statSync(written).mode & 0o777, 0o600);
  assert.doesNotMatch(stdout, /CLIENT_SECRET/, "the secret is in the file and on the terminal");
  assert.ok(!existsSync(join(elsewhere.in, ".doorward")), "a data directory was made");

  const twice = await runCommand(t, ["app", "create", "till 2", ...byFile], elsewhere);
  assert.match(twice.stderr, /till\.env already exists/);
  const environment = { DOORWARD_TOKEN: "dwp_none" };
  const refused = await runCommand(t, ["app", "create", "x", "--url", server.origin], { ...elsewhere, environment });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /DOORWARD_TOKEN/);
});

test("token gets a token for a service account, and prints nothing else where it can be piped", async (t) => {
  const { server, options } = await shareWithAdministrator();
  const api = await askCommand(t, ["app", "create", "stock", "--type", "api"], options);
  await askCommand(t, ["app", "create", "nightly", "--type", "machine"], options);
  const scope = `openid urn:service:iam:org:project:id:${api.projectId}:aud`;
  const args = ["token", "nightly", "--client-credentials", "--scope", scope];
  const { code, stdout } = await runCommand(t, args, options);
  assert.equal(code, 0);
  assert.match(stdout, /^dwa_[\w-]{43}\n$/);
  assert.equal((await introspect(server, api, stdout.trim())).active, true);

  const own = await askCommand(t, ["token", "--api"], options);
  assert.match(own.scope, /project:id:service:aud/);
  const users = await fetch(`${server.origin}/service.user.v2.UserService/ListUsers`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.access_token}`, "content-type": "application/json" },
    body: "{}",
  });
  assert.equal(users.status, 200, "the API does not accept the token of --api");

  const secretFile = join(options.in ?? "", "secret");
  writeFileSync(secretFile, "wrong");
  const wrong = ["--issuer", server.origin, "--client-id", "nightly", "--client-secret-file", secretFile];
  const refused = await runCommand(t, ["token", "--client-credentials", ...wrong], options);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /invalid_client[\s\S]*check client id and secret/);
});

test("token opens no address of an issuer that a browser does not show", async (t) => {
  const directory = makeDirectory(t);
  const opened = join(directory, "opened");
  writeFileSync(join(directory, "xdg-open"), `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`, {
    mode: 0o755,
  });
  let endpoint = "";
  const issuer = createServer((_request, response) => {
    const document = { issuer: origin, authorization_endpoint: endpoint, token_endpoint: origin, jwks_uri: origin };
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  }).listen(0, "127.0.0.1");
  t.after(() => issuer.close());
  await once(issuer, "listening");
  const origin = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const redirect = ["--redirect-uri", `http://localhost:${await freePort()}/callback`];
  const args = ["token", "--issuer", origin, "--client-id", "1", ...redirect];
  const environment = { DISPLAY: ":0", PATH: `${directory}:${process.env["PATH"]}` };
  for (const hostile of ["file:///usr/bin/true", "smb://192.0.2.1/share", "vscode://x/y", "javascript:1"]) {
    endpoint = hostile;
    const { code, stderr } = await runCommand(t, args, { in: directory, environment });
    assert.equal(code, 1, hostile);
    assert.match(stderr, /authorization_endpoint, which is not a web address/, hostile);
    assert.ok(!existsSync(opened), hostile);
  }
  endpoint = "x:\u001b]0;title\u0007";
  const { stderr: shown } = await runCommand(t, args, { in: directory, environment });
  assert.match(shown, /names x:\ufffd\]0;title\ufffd as/, "what a terminal obeys is not printed");
  endpoint = "x:\u009b2J\u007f";
  const { stdout } = await runCommand(t, [...args, "--json"], { in: directory, environment });
  assert.ok(stdout.includes("names x:\\u009b2J\\u007f as"), stdout);
  assert.match(JSON.parse(stdout).error.problem, /names x:\u009b2J\u007f as/, "a program reads what was said");
  endpoint = `${origin}/authorize`;
  const command = startCommand(t, args, { in: directory, environment });
  await command.printed(/(http\S+\/authorize\S+)/);
  for (let count = 0; count < 100 && !existsSync(opened); count++) await setTimeout(50);
  assert.match(readFileSync(opened, "utf8"), /^http:\/\/127\.0\.0\.1:\d+\/authorize\?/);
});

for (const type of ["native", "web"] as const) {
  test(`token signs the user in to a ${type} application with the browser`, async (t) => {
    const { server, options } = await startWithAdministrator(t);
    const redirect = type === "web" ? ["--redirect-uri", `http://localhost:${await freePort()}/callback`] : [];
    await askCommand(t, ["app", "create", "shop", "--type", type, ...redirect], options);
    const command = startCommand(t, ["token", "--no-browser", "--json"], options);
    const address = new URL(await command.printed(/(http\S+\/oauth\/v2\/authorize\S+)/));
    assert.equal(address.searchParams.get("code_challenge_method"), "S256");
    const browser = new TestBrowser(server);
    const name = await browser.open(address.pathname + address.search);
    const asked = await browser.submit(name, { login_name: "root" });
    const left = await browser.submit(asked, { password });

    const strange = new URL(left.address);
    strange.searchParams.set("state", "another");
    assert.equal((await fetch(strange)).status, 404, "the answer to another request is taken");
    const answered = await fetch(left.address);
    assert.match(await answered.text(), /close this window/);
    const { code, stdout, stderr } = await command.ended;
    assert.equal(code, 0, stderr);
    const { access_token: token, claims } = JSON.parse(stdout);
    assert.equal(claims.aud.includes(address.searchParams.get("client_id")), true);
    const userinfo = await fetch(`${server.origin}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(((await userinfo.json()) as { sub: string }).sub, claims.sub);
  });
}

test("token says what to do when there is no application, no address to return to, or no free port", async (t) => {
  const { server, options } = await startWithAdministrator(t);
  const nothing = await runCommand(t, ["token"], options);
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /no application[\s\S]*app create/);
  const redirect = ["--redirect-uri", `http://localhost:${server.port}/callback`];
  await askCommand(t, ["app", "create", "shop", ...redirect], options);
  const taken = await runCommand(t, ["token", "shop"], options);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /port \d+[\s\S]*--type native/);
  const holder = createServer().listen(0, "127.0.0.2");
  await once(holder, "listening");
  t.after(() => void holder.close());
  const second = `http://127.0.0.2:${(holder.address() as AddressInfo).port}/callback`;
  await askCommand(t, ["app", "create", "second", "--redirect-uri", second], options);
  assert.match((await runCommand(t, ["token", "second"], options)).stderr, /port \d+[\s\S]*--type native/);
  await askCommand(t, ["app", "create", "far", "--redirect-uri", "https://shop.example.com/cb"], options);
  assert.match((await runCommand(t, ["token", "far"], options)).stderr, /not on this machine[\s\S]*--redirect-uri/);
  assert.match((await runCommand(t, ["token", "nobody"], options)).stderr, /nobody\.env cannot be read/);
});
