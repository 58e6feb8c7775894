import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eachEngine } from "../support/databases.ts";
import { type ServerOptions, startServer, type TestServer } from "../support/server.ts";

/** A server that knows the system user `ops`, and a way to sign what `ops` sends. */
async function startWithSystemUser(t: TestContext, options: ServerOptions = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyFile = join(tmpdir(), `doorward-system-user-${randomUUID()}.pem`);
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  t.after(() => rmSync(keyFile));
  const server = await startServer(t, { ...options, config: { systemUsers: [{ userId: "ops", keyFile }] } });
  return {
    server,
    token: (claims: object = {}, key = privateKey) => signToken(key, { ...claimsOf(server), ...claims }),
  };
}

function claimsOf(server: TestServer) {
  const now = Math.floor(server.clock.now / 1000);
  return { iss: "ops", sub: "ops", aud: server.origin, iat: now, exp: now + 600 };
}

function signToken(privateKey: KeyObject, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

const host = "second.example";

async function createSecond(server: TestServer, token: string): Promise<{ instanceId: string; pat: string }> {
  const machine = { userName: "robot", name: "robot", personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" } };
  const body = { instanceName: "Second", firstOrgName: "Second", customDomain: host, machine };
  const created = await server.rest("POST", "/system/v1/instances/_create", { token, body });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return created.body;
}

eachEngine((_open, engine) => {
  test("a second instance, made through the System API, is fully separate from the first", async (t) => {
    const { server, token } = await startWithSystemUser(t, { engine });
    const { pat } = await createSecond(server, token());
    const names = ({ body }: { body: { result: { name: string }[] } }) => body.result.map(({ name }) => name);
    const search = "/v2/organizations/_search";
    assert.deepEqual(names(await server.rest("POST", search, { body: {} })), ["Doorward"]);
    assert.deepEqual(names(await server.byHost(host, "POST", search, { token: pat, body: {} })), ["Second"]);

    assert.equal((await server.rest("POST", search, { token: pat, body: {} })).status, 401);
    assert.equal((await server.byHost(host, "POST", search, { body: {} })).status, 401);

    const { body: discovery } = await server.byHost(host, "GET", "/.well-known/openid-configuration");
    assert.equal(discovery.issuer, `http://${host}:${server.port}`);
    const keys = async (at: string): Promise<string[]> =>
      (await server.byHost(at, "GET", "/oauth/v2/keys")).body.keys.map(({ kid }: { kid: string }) => kid);
    const [first, second] = [await keys("localhost"), await keys(host)];
    assert.ok(first.length > 0 && second.length > 0);
    assert.deepEqual(
      first.filter((kid) => second.includes(kid)),
      [],
    );
  });
});

test("only what the system user signed for us, now, opens the System API", async (t) => {
  const { server, token } = await startWithSystemUser(t);
  const ask = async (text: string) =>
    (await server.rest("POST", "/system/v1/instances/_search", { token: text, body: {} })).status;
  assert.equal(await ask(token()), 200);
  const now = Math.floor(server.clock.now / 1000);
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const refused = [
    token({}, stranger),
    token({ iss: "root", sub: "root" }),
    token({ sub: "root" }),
    token({ aud: "https://elsewhere.example" }),
    token({ exp: now - 10 }),
    token({ iat: now - 3_700 }),
    token({ exp: undefined }),
  ];
  for (const text of refused) assert.equal(await ask(text), 401);
  assert.equal(await ask(server.ownerToken), 403, "an owner of an instance does not manage instances");
});

test("an unknown host is 404 in the words of the protocol that was meant", async (t) => {
  const { byHost } = await startServer(t);
  const rest = await byHost("nobody.example", "POST", "/v2/organizations/_search", { body: {} });
  assert.equal(rest.status, 404);
  assert.equal(rest.body.code, 5);
  const oauth = await byHost("nobody.example", "GET", "/oauth/v2/keys");
  assert.equal(oauth.body.error, "invalid_request");
});
