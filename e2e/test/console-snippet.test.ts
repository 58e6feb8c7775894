import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { snippetOf } from "../../console/src/pages/application/snippets.ts";
import { fetch } from "../../server/test/support/http/fetch.ts";
import { freePort } from "../../server/test/support/http/free-port.ts";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { addPerson, sessionOf } from "../../server/test/support/people/people.ts";

test("the code that the console shows for Express signs a user in", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const redirectUri = `http://localhost:${await freePort()}/callback`;
  const { clientId, clientSecret } = await server.createClient({ redirectUris: [redirectUri], developmentMode: true });
  const connection = { issuer: server.origin, clientId, redirectUri };
  const code = snippetOf({ id: "express", name: "Express", kind: "web" }, connection) ?? assert.fail();
  const program = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: {
      PATH: process.env["PATH"],
      DOORWARD_ISSUER: server.origin,
      DOORWARD_CLIENT_ID: clientId,
      DOORWARD_CLIENT_SECRET: clientSecret,
      DOORWARD_REDIRECT_URI: redirectUri,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  t.after(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
  });
  const begun = await untilAnswered(new URL("/login", redirectUri), program);
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

async function untilAnswered(url: URL, program: { readonly exitCode: number | null }): Promise<Response> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    assert.equal(program.exitCode, null, "the program ended");
    try {
      return await fetch(url, { redirect: "manual" });
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((wait) => setTimeout(wait, 50));
    }
  }
}
