import assert from "node:assert/strict";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addPerson, type Person } from "../support/people/people.ts";

interface Begun {
  readonly user: Person;
  readonly sessionId: string;
}

/** What ends while a script holds the answer. */
const ends: Readonly<Record<string, (server: OidcServer, begun: Begun) => Promise<{ status: number }>>> = {
  session: (server, { sessionId }) => server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} }),
  user: (server, { user }) => server.rest("POST", `/v2/users/${user.userId}/deactivate`, { body: {} }),
  application: ({ connect, client: { applicationId }, projectId }) =>
    connect("service.application.v2.ApplicationService/DeactivateApplication", { applicationId, projectId }),
};

enginesInTurn((engine, test) => {
  test("no ID token is issued after its session, user or application ended while a script ran long", async (t) => {
    const server = await startOidcServer(t, { engine });
    const receiver = await startReceiver(t);
    const script = `function slow() { require("zitadel/http").fetch("${receiver.origin}/"); }`;
    await scriptsOf(server).run(preUserinfo, "slow", script);
    const { client } = server;
    const ask = async (name: string, end: (begun: Begun) => Promise<{ status: number }>) => {
      const user = await addPerson(server, { username: name });
      const { code, codeVerifier, sessionId } = await server.signIn({ client, user, scope: "openid profile" });
      const statuses: number[] = [];
      receiver.answer = (_request, response) =>
        void end({ user, sessionId }).then(
          ({ status }) => {
            statuses.push(status);
            setTimeout(() => response.end(), 1_050);
          },
          () => response.destroy(),
        );
      const { status, body } = await server.form(
        "/oauth/v2/token",
        { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
        client.basic,
      );
      assert.deepEqual(statuses, [200], name);
      return [status, body.error, body.id_token === undefined];
    };
    const none = async () => ({ status: 200 });
    assert.deepEqual(await ask("nothing", none), [200, undefined, false], "a long script alone refuses nothing");
    for (const [name, end] of Object.entries(ends)) {
      assert.deepEqual(await ask(name, (begun) => end(server, begun)), [400, "invalid_grant", true], name);
    }
  });
});
