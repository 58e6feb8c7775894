import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type TestClient } from "../../support/oidc/oidc.ts";
import { trustForApi } from "../../support/oidc/trust.ts";
import type { ServerOptions } from "../../support/servers/server.ts";
import { type ExchangeServer, exchangeGrant, mayExchange, startExchangeServer, typeOf } from "./support.ts";

interface Fixtures {
  readonly server: ExchangeServer;
  /** An application of an administrator of one project. */
  readonly client: TestClient;
  /** Exchanges as that application; the answer in short. */
  impersonate(actorToken: string | undefined, subject?: Readonly<Record<string, string>>): Promise<string>;
}

async function startFixtures(t: TestContext, options: ServerOptions): Promise<Fixtures> {
  const server = await startExchangeServer(t, options);
  const client = await server.createClient(mayExchange);
  const victim = { subject_token: server.user.userId, subject_token_type: typeOf.user_id };
  return {
    server,
    client,
    impersonate: async (actorToken = "", subject = victim) => {
      const { status, body } = await server.form(
        "/oauth/v2/token",
        {
          grant_type: exchangeGrant,
          ...subject,
          actor_token: actorToken,
          actor_token_type: typeOf.access_token,
          scope: "openid",
        },
        client.basic,
      );
      return status === 200 ? "ok" : `${status} ${body.error} ${body.error_description}`;
    },
  };
}

const refusal = "400 invalid_request the client is not trusted with the permissions of the actor";

enginesInTurn((engine, test) => {
  test("an application does not act for others because a user who may has signed in to it (A1, A8)", async (t) => {
    const { server, client, impersonate } = await startFixtures(t, { engine });
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid", client);
    assert.equal(await impersonate(agent), refusal);
    const { access_token: user = "" } = await server.tokensOf(server.user, "openid", client);
    const own = { subject_token: user, subject_token_type: typeOf.access_token };
    assert.equal(await impersonate(agent, own), refusal);

    // A service account gave it its own token.
    const robot = await server.personalAccessToken("robot");
    await server.appoint(robot.userId, ["IAM_END_USER_IMPERSONATOR"]);
    assert.equal(await impersonate(robot.token), "ok");
    assert.equal(await impersonate(robot.token, own), "ok");
    await trustForApi(server, client, server.projectId);
    assert.equal(await impersonate(agent), "ok");
    assert.equal(await impersonate(agent, own), "ok");
  });

  test("an application does not act for others with a trusted sibling's token (A1, A8)", async (t) => {
    const { server, client, impersonate } = await startFixtures(t, { engine });
    const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
    assert.equal(await impersonate(agent), refusal);
    await trustForApi(server, client, server.projectId);
    assert.equal(await impersonate(agent), "ok");
    // A token that names rights has no others, and this one is no right that can be named.
    const { access_token: some = "" } = await server.tokensOf(server.agent, "openid urn:service:iam:api:admin:write");
    assert.equal(await impersonate(some), refusal);
  });

  test("an API does not act for others with the token that a service account sent it (A8)", async (t) => {
    const { server, client, impersonate } = await startFixtures(t, { engine });
    const { rest, projectId } = server;
    const { id: userId } = (
      await rest("POST", "/v2/users/new", {
        body: { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } },
      })
    ).body;
    await server.appoint(userId, ["IAM_END_USER_IMPERSONATOR"]);
    const { clientSecret } = (await rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const tokenFor = async (...projects: readonly string[]): Promise<string> => {
      const scope = ["openid", ...projects.map((id) => `urn:service:iam:org:project:id:${id}:aud`)].join(" ");
      const grant = { grant_type: "client_credentials", scope };
      return (await server.form("/oauth/v2/token", grant, basicOf("robot", clientSecret))).body.access_token;
    };
    const sent = await tokenFor(projectId);
    assert.equal((await server.introspect(sent, client))["active"], true);
    assert.equal((await rest("GET", `/v2/users/${userId}`, { token: sent })).status, 401);
    assert.equal(await impersonate(sent), refusal);

    // This one is for our own APIs as well, so its account gives the application all that it may do.
    assert.equal(await impersonate(await tokenFor(projectId, "service")), "ok");
    await trustForApi(server, client, projectId);
    assert.equal(await impersonate(sent), "ok");
  });
});
