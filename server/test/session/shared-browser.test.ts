import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addPerson } from "../support/people/people.ts";

const scope = "openid urn:service:iam:org:project:id:service:aud";

async function openSession(server: OidcServer, user: { userId: string; password: string }) {
  const { status, body } = await server.rest("POST", "/v2/sessions", {
    body: {
      checks: { user: { userId: user.userId }, password: { password: user.password } },
      userAgent: { fingerprintId: "kitchen tablet" },
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { sessionId: body.sessionId as string, sessionToken: body.sessionToken as string };
}

eachEngine((_open, engine) => {
  test("an application sees no sessions of others who use the same browser", async (t) => {
    const server = await startOidcServer(t, { engine });
    const password = "a password of Bob's own";
    const bob = await addPerson(server, { username: "bob", password });
    const ofBob = await openSession(server, { userId: bob.userId, password });
    const ofAda = await openSession(server, server.user);
    const trusted = await server.createClient({ trustedForApi: true });
    const seenWith = async (token: string | undefined) => {
      const listed = await server.rest("POST", "/v2/sessions/search", { token: token ?? "", body: {} });
      assert.equal(listed.status, 200, JSON.stringify(listed.body));
      const found = await Promise.all(
        [ofAda, ofBob].map(({ sessionId }) => server.rest("GET", `/v2/sessions/${sessionId}`, { token: token ?? "" })),
      );
      const ids = (listed.body.sessions as { id: string }[]).map(({ id }) => id).sort();
      return { ids, found: found.map(({ status }) => status) };
    };

    const limited = await server.tokens({ session: ofAda, scope });
    const seen = await seenWith(limited["access_token"]);
    assert.deepEqual(seen, { ids: [ofAda.sessionId], found: [200, 404] });

    // The control: an application that may do what the user may, as a page that lists the accounts of a browser.
    const full = await server.tokens({ session: ofAda, scope, client: trusted });
    const all = await seenWith(full["access_token"]);
    assert.deepEqual(all, { ids: [ofAda.sessionId, ofBob.sessionId].sort(), found: [200, 200] });
  });
});
