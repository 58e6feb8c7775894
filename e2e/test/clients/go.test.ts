import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { fetch } from "../../../server/test/support/http/fetch.ts";
import { freePort } from "../../../server/test/support/http/free-port.ts";
import { type OidcServer, startOidcServer } from "../../../server/test/support/oidc/oidc.ts";
import { addKeyedApi } from "../../../server/test/support/oidc/resources.ts";
import { programFiles } from "../../../server/test/support/servers/foreign-program.ts";
import { TestBrowser } from "../../../server/test/support/sign-in/test-browser.ts";
import { buildGoClients, reasonWithoutGo, runGo, serveGo } from "../../support/go-clients.ts";
import { signInByForms } from "../../support/relying-party.ts";

async function ok(asked: ReturnType<OidcServer["rest"]>) {
  const { status, body } = await asked;
  assert.ok(status < 300, JSON.stringify(body));
  return body;
}

test("the examples of zitadel/oidc for Go", { skip: reasonWithoutGo() }, async (t) => {
  const programs = await buildGoClients("api", "app", "device", "service");
  if (typeof programs === "string") return t.skip(programs);
  const server = await startOidcServer(t, { now: Date.now() });
  const { projectId, organizationId, user } = server;
  // The clients have the real time.
  const timer = setInterval(() => {
    server.clock.now = Date.now();
  }, 100);
  t.after(() => clearInterval(timer));
  const issuer = { ISSUER: server.origin };

  for (const [method, registration] of [
    ["PKCE", { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" }],
    ["a secret", { authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" }],
  ] as const) {
    await t.test(`client/app signs a user in with ${method}`, async (t) => {
      const port = await freePort();
      const { clientId, clientSecret } = await server.createClient({
        redirectUris: [`http://127.0.0.1:${port}/auth/callback`],
        developmentMode: true,
        ...registration,
      });
      const client = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
      const env = { ...issuer, ...client, PORT: String(port), SCOPES: "openid profile email" };
      const browser = await serveGo(t, programs.app, { port, env });
      const asked = await browser.open("/login");
      const callback = await signInByForms(server, asked.address);
      const said = JSON.parse((await browser.open(callback)).html);
      assert.deepEqual([said.sub, said.email], [server.user.userId, "ada@example.com"]);
      assert.notEqual((await browser.open(callback)).status, 200, "the same answer was taken twice");
    });
  }

  await t.test("client/api introspects with a key, and reads the roles", async (t) => {
    const role = { projectId, roleKey: "seller", displayName: "Seller" };
    await ok(server.connect("service.project.v2.ProjectService/AddProjectRole", role));
    const assigned = { userId: user.userId, projectId, organizationId, roleKeys: ["seller"] };
    await ok(server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assigned));
    const { directory, write } = programFiles("go-api");
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const key = write("key.json", JSON.stringify(await addKeyedApi(server, projectId, "Go")), 0o600);
    const port = await freePort();
    await serveGo(t, programs.api, { port, env: { ...issuer, KEY: key, PORT: String(port) } });
    const scope = `openid profile urn:zitadel:iam:org:project:id:${projectId}:aud urn:zitadel:iam:org:projects:roles`;
    const { access_token: token } = await server.tokens({ scope });
    const ask = async (of = "") => {
      const headers = { authorization: `Bearer ${of}` };
      const answer = await fetch(`http://127.0.0.1:${port}/protected`, { headers });
      assert.equal(answer.status, 200, await answer.clone().text());
      return (await answer.json()) as Readonly<Record<string, unknown>>;
    };
    const said = await ask(token);
    assert.deepEqual([said["active"], said["sub"]], [true, user.userId]);
    assert.deepEqual(Object.keys(said["urn:zitadel:iam:org:project:roles"] ?? {}), ["seller"]);
    assert.equal((await ask("unknown"))["active"] ?? false, false);
  });

  await t.test("client/device waits for the user, refreshes and revokes", async (t) => {
    const { clientId } = await server.createClient({
      applicationType: "OIDC_APP_TYPE_NATIVE",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      grantTypes: ["OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      redirectUris: ["http://localhost/callback"],
    });
    const env = { ...issuer, CLIENT_ID: clientId, SCOPES: "openid offline_access" };
    const run = runGo(t, programs.device, { env });
    const [, uri = "", code = ""] = /browse to (\S+) and enter code (\S+)/.exec(await run.line(/browse to/)) ?? [];
    const person = new TestBrowser(server);
    const entered = await person.submit(await person.open(new URL(uri).pathname), { user_code: code });
    const named = await person.submit(entered, { login_name: server.user.loginName });
    const asked = await person.submit(named, { password: server.user.password });
    await person.submit(asked, { decision: "allow" });
    await run.end();
  });

  await t.test("client/service gets a token with the key of a service account", async (t) => {
    const robot = { organizationId, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = await ok(server.connect("service.user.v2.UserService/CreateUser", robot));
    const body = { expirationDate: "2100-01-01T00:00:00Z" };
    const { keyContent } = await ok(server.rest("POST", `/v2/users/${userId}/keys`, { body }));
    const port = await freePort();
    const scopes = "openid urn:zitadel:iam:org:project:id:zitadel:aud";
    await serveGo(t, programs.service, { port, env: { ...issuer, PORT: String(port), SCOPES: scopes } });
    const form = new FormData();
    form.set("key", new Blob([Buffer.from(keyContent, "base64")]), "key.json");
    const answer = await fetch(`http://127.0.0.1:${port}/jwt-profile`, { method: "POST", body: form });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { access_token: token } = (await answer.json()) as { readonly access_token: string };
    const { user: caller } = await ok(server.rest("GET", "/auth/v1/users/me", { token }));
    assert.equal(caller.userName, "robot");
  });
});
