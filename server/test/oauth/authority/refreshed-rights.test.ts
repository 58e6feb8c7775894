import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { addApi } from "../../support/oidc/resources.ts";
import { appoint } from "../../support/people/people.ts";
import { exchangeGrant, mayExchange, startExchangeServer, typeOf } from "../token-exchange/support.ts";

const iam = "urn:service:iam";
const forApis = `openid offline_access ${iam}:org:project:id:service:aud`;
const ofOrganizations = "service.org.v2.OrganizationService";

enginesInTurn((engine, test) => {
  test("a refresh that leaves out the rights of its grant has no rights at our APIs", async (t) => {
    const server = await startOidcServer(t, { engine });
    await appoint(server, server.user, { instance: true }, ["IAM_OWNER"]);
    const client = await server.createClient();
    await server.trust(client);
    let count = 0;
    const token = async (parameters: Record<string, string>) => {
      const { status, body } = await server.form("/oauth/v2/token", parameters, client.basic);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const sign = async (scope: string) => {
      const { code, codeVerifier: code_verifier } = await server.signIn({ client, scope });
      return token({ grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier });
    };
    const refresh = (of: { refresh_token: string }, scope?: string) =>
      token({ grant_type: "refresh_token", refresh_token: of.refresh_token, ...(scope !== undefined && { scope }) });
    const answers = async (of: { access_token: string }) => {
      const own = await server.connect("service.auth.v1.AuthService/GetMyUser", {}, { token: of.access_token });
      const body = { name: `Made ${++count}` };
      const made = await server.connect(`${ofOrganizations}/AddOrganization`, body, { token: of.access_token });
      return [own.status, made.status];
    };
    const reads = await sign(`${forApis} ${iam}:api:me:read`);
    assert.deepEqual(await answers(reads), [200, 403], "the right and no other");
    const plain = await refresh(reads);
    assert.deepEqual(await answers(plain), [200, 403]);
    const without = await refresh(plain, forApis);
    assert.deepEqual(await answers(without), [401, 401]);
    const named = await refresh(without, `${forApis} ${iam}:api:me:read`);
    assert.deepEqual(await answers(named), [200, 403], "the grant still has it");

    const all = await sign(forApis);
    assert.deepEqual(await answers(all), [200, 200], "where no right is named, the application has all");
    assert.deepEqual(await answers(await refresh(all, forApis)), [200, 200]);
  });

  test("a part of a scope that names roles has no others", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, organizationId, user } = server;
    const ok = async (path: string, body: object) => {
      const answer = await server.connect(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const projects = "service.project.v2.ProjectService";
    for (const roleKey of ["viewer", "admin"])
      await ok(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
    const assignment = { userId: user.userId, projectId, organizationId, roleKeys: ["viewer", "admin"] };
    await ok("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment);
    await ok(`${projects}/UpdateProject`, { projectId, projectRoleAssertion: true });
    const client = await server.createClient();
    const exchanging = await server.createClient({ ...mayExchange });
    const api = await addApi(server, projectId);
    const rolesOf = async (accessToken: string) => {
      const claims: Record<string, unknown> = await server.introspect(accessToken, api);
      return Object.keys((claims[`${iam}:org:project:roles`] ?? {}) as object);
    };
    const refreshed = async (granted: string, scope: string) => {
      const { refresh_token: refreshToken = "" } = await server.tokens({ client, scope: granted });
      const asked = { grant_type: "refresh_token", refresh_token: refreshToken, scope };
      return (await server.form("/oauth/v2/token", asked, client.basic)).body.access_token as string;
    };
    const exchanged = async (granted: string, scope: string) => {
      const { access_token: accessToken = "" } = await server.tokens({ scope: granted });
      const subject = { subject_token: accessToken, subject_token_type: typeOf.access_token };
      const asked = { grant_type: exchangeGrant, ...subject, scope };
      return (await server.form("/oauth/v2/token", asked, exchanging.basic)).body.access_token as string;
    };
    const role = (key: string): string => `${iam}:org:project:role:${key}`;
    for (const [name, part] of Object.entries({ refreshed, exchanged })) {
      const viewer = `openid offline_access ${role("viewer")}`;
      assert.deepEqual(await rolesOf(await part(viewer, "openid")), ["viewer"], name);
      assert.deepEqual(
        await rolesOf(await part(`${viewer} ${role("admin")}`, `openid ${role("admin")}`)),
        ["admin"],
        name,
      );
      const every = await rolesOf(await part("openid offline_access", "openid"));
      assert.deepEqual(every.toSorted(), ["admin", "viewer"], name);
    }
  });

  test("what was exchanged from a token with named rights acts for no other user without them", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const subject = (token: string) => ({ subject_token: token, subject_token_type: typeOf.access_token });
    const actAs = async (token: string) => {
      const victim = { subject_token: server.user.userId, subject_token_type: typeOf.user_id };
      const actor = { actor_token: token, actor_token_type: typeOf.access_token };
      return (await server.exchange({ ...victim, ...actor, scope: "openid profile" })).status;
    };
    const exchanged = async (token: string) => {
      const { status, body } = await server.exchange({ ...subject(token), scope: "openid" });
      assert.equal(status, 200, JSON.stringify(body));
      return body.access_token as string;
    };
    const { access_token: all = "" } = await server.tokensOf(server.agent, forApis);
    const { access_token: named = "" } = await server.tokensOf(server.agent, `${forApis} ${iam}:api:me:read`);
    assert.deepEqual([await actAs(all), await actAs(await exchanged(all))], [200, 200], "where no right is named");
    assert.deepEqual([await actAs(named), await actAs(await exchanged(named))], [400, 400]);
    assert.equal(await actAs(await exchanged(await exchanged(named))), 400, "however often");
  });
});
