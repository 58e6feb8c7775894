import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type OidcServer } from "../../support/oidc/oidc.ts";
import { etagOf } from "../../support/oidc/trust.ts";
import { addOrganization, appoint } from "../../support/people/people.ts";
import { exchangeGrant, mayExchange, startExchangeServer, typeOf } from "../token-exchange/support.ts";

const forApis = "openid urn:service:iam:org:project:id:service:aud";
const users = "service.user.v2.UserService";
const applications = "service.application.v2.ApplicationService";

/** A service account that owns the instance; returns its tokens for scopes. */
async function robot(server: OidcServer, organizationId = server.organizationId, username = "robot") {
  const body = { organizationId, username, machine: { name: "Robot" } };
  const { id } = (await server.rest("POST", "/v2/users/new", { body })).body;
  const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
  const { loginName } = await nameOf(server, id);
  return {
    userId: id as string,
    token: async (scope: string): Promise<string> => {
      const asked = { grant_type: "client_credentials", scope };
      const issued = await server.form("/oauth/v2/token", asked, basicOf(loginName, clientSecret));
      assert.equal(issued.status, 200, JSON.stringify(issued.body));
      return issued.body.access_token;
    },
  };
}

async function nameOf(server: OidcServer, userId: string): Promise<{ readonly loginName: string }> {
  const { body } = await server.connect(`${users}/GetUserByID`, { userId });
  return { loginName: body.user.preferredLoginName };
}

enginesInTurn((engine, test) => {
  test("a service account's token that names rights has no others", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { userId, token } = await robot(server);
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER", "IAM_END_USER_IMPERSONATOR"]);
    const setEmail = async (by: string) => {
      const body = { userId: server.user.userId, email: "ada@moved.example", isVerified: true };
      return (await server.connect(`${users}/SetEmail`, body, { token: by })).status;
    };
    const list = async (by: string) =>
      (await server.connect(`${users}/ListUsers`, {}, { token: by })).body.result?.length;
    const full = await token(forApis);
    const everyone = await list(full);
    assert.ok(everyone > 1);
    assert.equal(await setEmail(full), 200);
    const reading = await token(`${forApis} urn:service:iam:api:admin:read`);
    assert.equal(await list(reading), everyone);
    assert.equal(await setEmail(reading), 403);
    const own = await token(`${forApis} urn:zitadel:iam:api:me:read`);
    assert.equal(await list(own), 1);
    assert.equal(await setEmail(own), 403);
    // Nor does it act for others.
    const client = await server.createClient(mayExchange);
    const project = `urn:service:iam:org:project:id:${server.projectId}:aud`;
    const impersonate = async (scope: string) =>
      server.form(
        "/oauth/v2/token",
        {
          grant_type: exchangeGrant,
          subject_token: server.user.userId,
          subject_token_type: typeOf.user_id,
          actor_token: await token(scope),
          actor_token_type: typeOf.access_token,
          scope: "openid",
        },
        client.basic,
      );
    const named = await impersonate(`openid ${project} urn:service:iam:api:admin:read`);
    assert.deepEqual([named.status, named.body.error], [400, "invalid_request"]);
    assert.equal((await impersonate(`${forApis} ${project}`)).status, 200);
  });

  test("an actor puts no project of another organization into the audience of a user's token", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const elsewhere = await addOrganization(server, "Elsewhere");
    const project = "service.project.v2.ProjectService";
    const made = await server.connect(`${project}/CreateProject`, { organizationId: elsewhere, name: "Bank" });
    const foreign: string = made.body.projectId;
    const bank = await server.createClient({}, foreign);
    const sibling = await server.connect(`${project}/CreateProject`, {
      organizationId: server.organizationId,
      name: "Own",
    });
    const shared: string = sibling.body.projectId;
    const { userId, token } = await robot(server);
    await appoint(server, { userId }, { instance: true }, ["IAM_END_USER_IMPERSONATOR"]);
    const client = await server.createClient(mayExchange);
    const audienceOf = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;
    const actorToken = await token(
      ["openid", ...["service", server.projectId, foreign, shared].map(audienceOf)].join(" "),
    );
    const exchange = async (audience?: string, subject?: string) => {
      const given =
        subject === undefined
          ? { subject_token: server.user.userId, subject_token_type: typeOf.user_id }
          : { subject_token: subject, subject_token_type: typeOf.access_token };
      return server.form(
        "/oauth/v2/token",
        {
          grant_type: exchangeGrant,
          ...given,
          actor_token: actorToken,
          actor_token_type: typeOf.access_token,
          scope: "openid",
          ...(audience !== undefined && { audience }),
        },
        client.basic,
      );
    };
    const audience = async (exchanged: string): Promise<string[]> => {
      const { body } = await server.form("/oauth/v2/introspect", { token: exchanged }, client.basic);
      return body.aud;
    };
    const isActiveAt = async (exchanged: string) =>
      (await server.form("/oauth/v2/introspect", { token: exchanged }, bank.basic)).body.active;
    const silent = await exchange();
    assert.equal(silent.status, 200, JSON.stringify(silent.body));
    assert.deepEqual((await audience(silent.body.access_token)).toSorted(), [server.projectId, shared].toSorted());
    assert.equal(await isActiveAt(silent.body.access_token), false);
    const named = await exchange(foreign);
    assert.deepEqual([named.status, named.body.error], [400, "invalid_target"]);
    const { access_token: user = "" } = await server.tokensOf(server.user, "openid", client);
    const withSubject = await exchange(foreign, user);
    assert.deepEqual([withSubject.status, withSubject.body.error], [400, "invalid_target"]);
    // The control: a project that was granted to the organization of the client.
    const grant = { projectId: foreign, grantedOrganizationId: server.organizationId };
    assert.equal((await server.connect(`${project}/CreateProjectGrant`, grant)).status, 200);
    const granted = await exchange(foreign);
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    assert.equal(await isActiveAt(granted.body.access_token), true);
    // And what the user's own token is for.
    assert.equal((await exchange(shared)).status, 200);
  });

  test("tokens lose our own APIs with the trust of each application that they went through", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { projectId } = server;
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const system = instance?.systemProjectId ?? "";
    const grantTypes = [...mayExchange.grantTypes, "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const first = await server.createClient({ grantTypes });
    const second = await server.createClient({ grantTypes });
    const trust = async ({ applicationId }: { applicationId: string }, isOn: boolean) => {
      const oidcConfiguration = { trustedForApi: isOn };
      const update = { projectId, applicationId, etag: await etagOf(server, applicationId), oidcConfiguration };
      assert.equal((await server.connect(`${applications}/UpdateApplication`, update)).status, 200);
    };
    await trust(first, true);
    await trust(second, true);
    const scope = `${forApis} offline_access`;
    const rights = "openid urn:service:iam:api:admin:read offline_access";
    const exchange = async (parameters: Record<string, string>) => {
      const { status, body } = await server.form(
        "/oauth/v2/token",
        { grant_type: exchangeGrant, scope, ...parameters },
        second.basic,
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const { access_token: user = "" } = await server.tokensOf(server.user, scope, first);
    const { access_token: named = "" } = await server.tokensOf(server.user, rights, first);
    const { access_token: agent = "" } = await server.tokensOf(server.agent, scope, first);
    const subject = { subject_token: user, subject_token_type: typeOf.access_token };
    const plain = await exchange(subject);
    const delegated = await exchange({ ...subject, actor_token: agent, actor_token_type: typeOf.access_token });
    const call = async (token: string) =>
      (await server.connect(`${users}/GetUserByID`, { userId: server.user.userId }, { token })).status;
    const isForApis = async (token: string): Promise<boolean> => {
      const { body } = await server.form("/oauth/v2/introspect", { token }, second.basic);
      assert.equal(body.active, true, JSON.stringify(body));
      return body.aud.includes(system);
    };
    const refreshed = async ({ refresh_token: token }: { refresh_token: string }) => {
      const answer = await server.form(
        "/oauth/v2/token",
        { grant_type: "refresh_token", refresh_token: token },
        second.basic,
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    assert.deepEqual([await call(plain.access_token), await call(user), await call(named)], [200, 200, 200]);
    assert.deepEqual([await isForApis(plain.access_token), await isForApis(delegated.access_token)], [true, true]);

    await trust(second, false);
    assert.deepEqual([await call(plain.access_token), await call(user)], [401, 200]);
    assert.equal(await isForApis(plain.access_token), false);
    // Without the trust there is no acting for others at all.
    const { body: ended } = await server.form("/oauth/v2/introspect", { token: delegated.access_token }, second.basic);
    assert.deepEqual(ended, { active: false });
    const again = await refreshed(plain);
    assert.equal(await isForApis(again.access_token), false);
    await trust(second, true);
    assert.equal(await isForApis(delegated.access_token), true);
    assert.equal(await isForApis(again.access_token), false, "what was renewed without them does not get them back");
    const back = await refreshed(again);
    assert.equal(await call(back.access_token), 200);

    await trust(first, false);
    assert.equal(await call(user), 401);
    assert.equal(await call(named), 401, "rights that no user agreed to");
    assert.equal(await call(back.access_token), 401, "what was exchanged rests on the other application as well");
    assert.equal(await isForApis(back.access_token), false);
    assert.equal(await call(plain.access_token), 401);
  });
});
