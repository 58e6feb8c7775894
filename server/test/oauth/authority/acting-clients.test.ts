import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf } from "../../support/oidc/oidc.ts";
import { addOrganization, addPerson } from "../../support/people/people.ts";
import { exchangeGrant, mayExchange, startExchangeServer, typeOf } from "../token-exchange/support.ts";

const project = "service.project.v2.ProjectService";
const audienceOf = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;

enginesInTurn((engine, test, both) => {
  test("acting for users ends with the grant that let the client act (A5, A8)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { rest, connect } = server;
    const home = await addOrganization(server, "Home");
    const vendor = await addOrganization(server, "Vendor");
    const person = await addPerson(server, { username: "eve", organizationId: home });
    const { body } = await connect(`${project}/CreateProject`, { organizationId: vendor, name: "Support" });
    const projectId: string = body.projectId;
    const client = await server.createClient(mayExchange, projectId);
    const grant = { projectId, grantedOrganizationId: home };
    assert.equal((await connect(`${project}/CreateProjectGrant`, grant)).status, 200);
    const account = { organizationId: home, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = (await rest("POST", "/v2/users/new", { body: account })).body;
    await server.appoint(userId, ["ORG_END_USER_IMPERSONATOR"], { organizationId: home });
    const { clientSecret } = (await rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const scope = ["openid", audienceOf(projectId), audienceOf("service")].join(" ");
    const credentials = { grant_type: "client_credentials", scope };
    const own = await server.form("/oauth/v2/token", credentials, basicOf("robot", clientSecret));
    const { token: personal } = (
      await rest("POST", `/v2/users/${userId}/pats`, { body: { expirationDate: "2100-01-01T00:00:00Z" } })
    ).body;
    const actAs = async (actorToken: string): Promise<string> => {
      const exchanged = await server.form(
        "/oauth/v2/token",
        {
          grant_type: exchangeGrant,
          subject_token: person.userId,
          subject_token_type: typeOf.user_id,
          actor_token: actorToken,
          actor_token_type: typeOf.access_token,
          scope: "openid profile",
        },
        client.basic,
      );
      assert.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
      return exchanged.body.access_token;
    };
    const byToken = await actAs(own.body.access_token);
    const byPersonalToken = await actAs(personal);
    const isActive = async (token: string) => (await server.introspect(token, client))["active"];
    assert.deepEqual([await isActive(byToken), await isActive(byPersonalToken)], [true, true]);

    assert.equal((await connect(`${project}/DeleteProjectGrant`, grant)).status, 200);
    assert.equal(await isActive(byToken), false);
    assert.equal((await rest("GET", "/oidc/v1/userinfo", { token: byToken })).status, 401);
    // A personal access token is good everywhere in its instance, so that no grant gave it to the client.
    assert.equal(await isActive(byPersonalToken), true);
  });

  both("what a client exchanged ends when users have to let it in (A5, A18)", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const grants = ["AUTHORIZATION_CODE", "TOKEN_EXCHANGE", "REFRESH_TOKEN"].map((name) => `OIDC_GRANT_TYPE_${name}`);
    const first = await server.createClient({ grantTypes: grants });
    const flagged = await server.createClient({ grantTypes: grants });
    const other = await server.createClient({ grantTypes: grants });
    const scope = "openid profile offline_access";
    const { access_token: token = "" } = await server.tokensOf(server.user, scope, first);
    const given = { grant_type: exchangeGrant, subject_token: token, subject_token_type: typeOf.access_token, scope };
    const robot = await server.personalAccessToken("robot");
    await server.appoint(robot.userId, ["IAM_END_USER_IMPERSONATOR"]);
    const acting = { actor_token: robot.token, actor_token_type: typeOf.access_token };
    const tokensOf = async (client: typeof first) => {
      const plain = await server.form("/oauth/v2/token", given, client.basic);
      const acted = await server.form("/oauth/v2/token", { ...given, ...acting }, client.basic);
      assert.deepEqual([plain.status, acted.status], [200, 200], JSON.stringify([plain.body, acted.body]));
      return [plain.body, acted.body];
    };
    const exchanged = { flagged: await tokensOf(flagged), other: await tokensOf(other) };
    const areActive = (tokens: readonly { access_token: string }[]) =>
      Promise.all(tokens.map(async (one) => (await server.introspect(one.access_token, first))["active"]));
    assert.deepEqual(await areActive([...exchanged.flagged, ...exchanged.other]), [true, true, true, true]);

    const { applicationId } = flagged;
    const change = { projectId: server.projectId, applicationId, oidcConfiguration: { consentRequired: true } };
    const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", change);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(await areActive(exchanged.flagged), [false, false]);
    for (const { refresh_token } of exchanged.flagged) {
      const refresh = { grant_type: "refresh_token", refresh_token };
      assert.equal((await server.form("/oauth/v2/token", refresh, flagged.basic)).body.error, "invalid_grant");
    }
    assert.deepEqual(await areActive(exchanged.other), [true, true]);
  });
});
