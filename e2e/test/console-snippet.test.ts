import assert from "node:assert/strict";
import { test } from "node:test";
import { snippetOf } from "../../console/src/pages/application/snippets.ts";
import { fetch } from "../../server/test/support/http/fetch.ts";
import { freePort } from "../../server/test/support/http/free-port.ts";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { addPerson, sessionOf } from "../../server/test/support/people/people.ts";
import { runSnippet } from "../support/snippet-program.ts";

test("the code that the console shows for Express signs a user in", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const redirectUri = `http://localhost:${await freePort()}/callback`;
  const { clientId, clientSecret } = await server.createClient({ redirectUris: [redirectUri], developmentMode: true });
  const connection = { issuer: server.origin, clientId, redirectUri };
  const code = snippetOf({ id: "express", name: "Express", kind: "web" }, connection) ?? assert.fail();
  await runSnippet(t, code, {
    DOORWARD_ISSUER: server.origin,
    DOORWARD_CLIENT_ID: clientId,
    DOORWARD_CLIENT_SECRET: clientSecret,
    DOORWARD_REDIRECT_URI: redirectUri,
  });
  const begun = await fetch(new URL("/login", redirectUri), { redirect: "manual" });
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no session");
  const asked = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
  const id = new URL(asked.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
  const user = await addPerson(server, { username: "grace" });
  const { sessionId, token: sessionToken } = await sessionOf(server, user);
  const answered = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, {
    token: server.loginToken,
    body: { session: { sessionId, sessionToken } },
  });
  assert.equal(answered.status, 200, JSON.stringify(answered.body));
  const back = await fetch(answered.body.callbackUrl, { headers: { cookie }, redirect: "manual" });
  assert.equal(back.status, 302, await back.text());
  const home = await fetch(new URL("/", redirectUri), { headers: { cookie } });
  assert.equal(await home.text(), "Hello grace Example");
});
