import assert from "node:assert/strict";
import { countStatements } from "../../support/databases/counted-statements.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";

const most = 100;

enginesInTurn((engine, test) => {
  test("tokens do not grow with the applications of their project, and verifying them does not either", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, projectId } = server;
    const others: TestClient[] = [await server.createClient(), await server.createClient()];
    const counted = countStatements(server.app.domain.database);
    const audienceOf = async (token = "") => (await server.introspect(token, client))["aud"] as string[];
    const costOf = async (token = "") => {
      const ask = () => server.rest("GET", "/oidc/v1/userinfo", { token });
      assert.equal((await ask()).status, 200);
      return (await counted.during(ask)).length;
    };
    const { access_token: ofFew } = await server.tokens();
    const few = [client, ...others].map(({ clientId }) => clientId);
    assert.deepEqual(new Set(await audienceOf(ofFew)), new Set([...few, projectId]));
    const cost = await costOf(ofFew);
    // As many as there may be with the three.
    for (let made = few.length; made < most; made += 1) others.push(await server.createClient());
    const { access_token: ofMost } = await server.tokens();
    assert.equal((await audienceOf(ofMost)).length, most + 1);
    assert.equal(await costOf(ofMost), cost);
    await server.createClient();
    const { access_token: ofMany } = await server.tokens();
    assert.deepEqual(new Set(await audienceOf(ofMany)), new Set([client.clientId, projectId]));
    assert.equal(await costOf(ofMany), cost);
    // What was issued before stays what it was, and asks for all of its names at once.
    assert.equal((await audienceOf(ofMost)).length, most + 1);
    assert.ok((await costOf(ofMost)) <= cost + 4, `${await costOf(ofMost)} statements instead of ${cost}`);
  });
});
