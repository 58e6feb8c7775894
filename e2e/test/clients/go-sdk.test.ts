import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { fetch } from "../../../server/test/support/http/fetch.ts";
import { freePort } from "../../../server/test/support/http/free-port.ts";
import { startOidcServer } from "../../../server/test/support/oidc/oidc.ts";
import { addKeyedApi } from "../../../server/test/support/oidc/resources.ts";
import { appoint } from "../../../server/test/support/people/people.ts";
import { programFiles } from "../../../server/test/support/servers/foreign-program.ts";
import { TestBrowser } from "../../../server/test/support/sign-in/test-browser.ts";
import { buildGoClients, reasonWithoutGo, serveGo } from "../../support/go-clients.ts";
import { signInByForms } from "../../support/relying-party.ts";

test("zitadel-go", { skip: reasonWithoutGo() }, async (t) => {
  const programs = await buildGoClients("sdk");
  if (typeof programs === "string") return t.skip(programs);
  const server = await startOidcServer(t, { now: Date.now() });
  const { organizationId, projectId, user } = server;
  // The clients have the real time.
  const timer = setInterval(() => {
    server.clock.now = Date.now();
  }, 100);
  t.after(() => clearInterval(timer));
  const call = async (method: string, body: object) => {
    const answer = await server.connect(`service.${method}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };

  const robot = { organizationId, username: "robot", machine: { name: "Robot" } };
  const { id: userId } = await call("user.v2.UserService/CreateUser", robot);
  await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
  const lasting = { userId, expirationDate: "2100-01-01T00:00:00Z" };
  const { keyContent } = await call("user.v2.UserService/AddKey", lasting);
  const { token } = await call("user.v2.UserService/AddPersonalAccessToken", lasting);
  const { clientSecret } = await call("user.v2.UserService/AddSecret", { userId });
  const { directory, write } = programFiles("go-sdk");
  t.after(() => rmSync(directory, { recursive: true, force: true }));

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { clientId } = await server.createClient({
    redirectUris: [`${origin}/auth/callback`],
    postLogoutRedirectUris: [`${origin}/`],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    developmentMode: true,
  });
  const browser = await serveGo(t, programs.sdk, {
    port,
    env: {
      PORT: String(port),
      DOORWARD_PORT: String(server.port),
      API_KEY: write("api.json", JSON.stringify(await addKeyedApi(server, projectId, "Go")), 0o600),
      SERVICE_KEY: write("robot.json", Buffer.from(keyContent, "base64").toString(), 0o600),
      SERVICE_NAME: "robot",
      SERVICE_SECRET: clientSecret,
      SERVICE_TOKEN: token,
      CLIENT_ID: clientId,
      REDIRECT_URI: `${origin}/auth/callback`,
      COOKIE_KEY: "0123456789abcdef0123456789abcdef",
    },
  });
  const ask = async (path: string, by?: string) => {
    const headers = by === undefined ? {} : { authorization: `Bearer ${by}` };
    const answer = await fetch(origin + path, { headers });
    const said = await answer.text();
    assert.notEqual(answer.status, 500, said);
    return answer.status === 200 ? JSON.parse(said) : answer.status;
  };

  await t.test("calls with a key, a secret and a token", async () => {
    assert.deepEqual(await ask("/calls"), { key: "Doorward", secret: "Doorward", token: "Doorward" });
  });

  await t.test("creates, reads, changes and deletes by both generations of the API", async () => {
    assert.deepEqual(await ask("/trip"), ["Golang", "NotFound", "Amazing", "NotFound"]);
  });

  await t.test("protects an API, by the roles of its callers", async () => {
    const admin = { projectId, roleKey: "admin", displayName: "Admin" };
    await call("project.v2.ProjectService/AddProjectRole", admin);
    const scope = `openid urn:zitadel:iam:org:project:id:${projectId}:aud urn:zitadel:iam:org:projects:roles`;
    const before = (await server.tokens({ scope })).access_token ?? "";
    assert.deepEqual(await ask("/tasks", before), { id: user.userId, isAdmin: false });
    assert.equal(await ask("/admin", before), 403);
    const assigned = { userId: user.userId, projectId, organizationId, roleKeys: ["admin"] };
    await call("authorization.v2.AuthorizationService/CreateAuthorization", assigned);
    const after = (await server.tokens({ scope })).access_token ?? "";
    assert.deepEqual(await ask("/tasks", after), { id: user.userId, isAdmin: true });
    assert.equal(await ask("/admin", after), "admin");
    assert.equal(await ask("/tasks"), 401);
    assert.equal(await ask("/tasks", "unknown"), 401);
  });

  await t.test("calls on for its caller", async () => {
    assert.ok((await ask("/permissions", token)).includes("org.write"));
  });

  await t.test("signs a user in with PKCE, and out", async () => {
    const person = new TestBrowser(server);
    const asked = await browser.open("/profile");
    const profile = await browser.open(await signInByForms(server, asked.address, person));
    assert.equal(profile.address, "/profile", profile.html);
    const { sub, email } = JSON.parse(profile.html);
    assert.deepEqual([sub, email], [user.userId, "ada@example.com"]);
    const { address } = await browser.open("/auth/logout");
    const { pathname, search } = new URL(address);
    assert.equal((await person.open(pathname + search)).address.split("?")[0], `${origin}/`);
    assert.ok((await browser.open("/profile")).address.startsWith(server.origin));
  });
});
