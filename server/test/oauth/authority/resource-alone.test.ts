import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";
import { addOrganization, appoint } from "../../support/people/people.ts";
import { ok, projects } from "../support/registered-resources.ts";

const iam = "urn:service:iam";
const tools = "https://tools.evil.example/mcp";
const apis = `${iam}:org:project:id:service:aud`;

/** A resource of another organization, which tells clients the scopes to ask for (RFC 9728). */
async function addTools(server: OidcServer, more: object = {}): Promise<void> {
  const organizationId = await addOrganization(server, "Tools Ltd");
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name: "Tools" }));
  await addResource(server, projectId, tools, { scopes: [{ name: "tools:read" }], ...more });
}

enginesInTurn((engine, test) => {
  test("a resource server can use its token neither at our APIs nor at projects (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, organizationId } = server;
    await addTools(server);
    await server.trust();
    const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name: "Ledger" }));
    const ledger = `${iam}:org:project:id:${projectId}:aud`;
    const path = `/v2/users/${server.user.userId}`;
    const canCall = async (token: string) => (await server.rest("GET", path, { token })).status === 200;
    const redeem = async (scope: string, granted: readonly string[], named?: string) => {
      const parameters: Record<string, string> = { resource: granted.join(" ") };
      const { code, codeVerifier } = await server.signIn({ scope, parameters });
      const redirect = { redirect_uri: client.redirectUri, code_verifier: codeVerifier };
      const request = { grant_type: "authorization_code", code, ...redirect, ...(named && { resource: named }) };
      return ok(server.form("/oauth/v2/token", request, client.basic));
    };
    const audienceOf = async (token: string) => (await server.introspect(token))["aud"];
    const rights = ["me:read", "me:write", "admin:write"].map((right) => `${iam}:api:${right}`);
    const scope = ["openid offline_access tools:read", apis, ledger, ...rights].join(" ");

    for (const named of [undefined, tools]) {
      const tokens = await redeem(scope, [tools], named);
      assert.equal(tokens.scope, "openid offline_access tools:read");
      assert.deepEqual(await audienceOf(tokens.access_token), [client.clientId, tools]);
      assert.equal(await canCall(tokens.access_token), false);
      const request = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      const renewed = await ok(server.form("/oauth/v2/token", request, client.basic));
      assert.deepEqual(await audienceOf(renewed.access_token), [client.clientId, tools]);
      assert.equal(await canCall(renewed.access_token), false);
    }
    const plain = await server.tokens({ scope: `openid ${apis} ${ledger}` });
    assert.equal(await canCall(plain["access_token"] ?? ""), true, "without a resource as before");
    assert.ok([await audienceOf(plain["access_token"] ?? "")].flat().includes(projectId));

    // Our own APIs are a resource as well, with a token of their own.
    const both = `${server.origin}/`;
    const ours = await redeem(scope, [tools, both], both);
    assert.equal(await canCall(ours.access_token), true);
    const theirs = await redeem(scope, [tools, both], tools);
    assert.equal(await canCall(theirs.access_token), false);
    assert.deepEqual(await audienceOf(theirs.access_token), [client.clientId, tools]);
  });

  test("a resource of another project is told of no roles", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, organizationId, user } = server;
    const tokenFormat = "RESOURCE_TOKEN_FORMAT_JWT";
    await addTools(server, { tokenFormat });
    const ownTools = "https://own.example/mcp";
    await addResource(server, projectId, ownTools, { scopes: [{ name: "own:read" }], tokenFormat });
    await ok(server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "admin", displayName: "Admin" }));
    const assignment = { userId: user.userId, projectId, organizationId, roleKeys: ["admin"] };
    await ok(server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment));
    await ok(server.connect(`${projects}/UpdateProject`, { projectId, projectRoleAssertion: true }));
    const client = await server.createClient({
      accessTokenType: "OIDC_TOKEN_TYPE_JWT",
      accessTokenRoleAssertion: true,
    });
    const hasRoles = async (resource: string | undefined, scope: string) => {
      const parameters = resource === undefined ? {} : { resource };
      const { code, codeVerifier } = await server.signIn({ client, scope: `openid ${scope}`, parameters });
      const redirect = { redirect_uri: client.redirectUri, code_verifier: codeVerifier };
      const request = { grant_type: "authorization_code", code, ...redirect };
      const { access_token: token } = await ok(server.form("/oauth/v2/token", request, client.basic));
      const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
      const told = (await server.rest("GET", "/oidc/v1/userinfo", { token })).body;
      return [claims, told].map((each) => Object.keys(each).some((name) => name.endsWith(":roles")));
    };
    for (const scope of ["", `${iam}:org:projects:roles`]) {
      assert.deepEqual(await hasRoles(undefined, scope), [true, true]);
      assert.deepEqual(await hasRoles(ownTools, `own:read ${scope}`), [true, true]);
      assert.deepEqual(await hasRoles(tools, `tools:read ${scope}`), [false, false]);
    }
  });

  test("nor can it use the token of a service account there (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId, projectId } = server;
    await addResource(server, projectId, tools, { scopes: [{ name: "tools:read" }] });
    const machine = { organizationId, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const ask = (scope: string, more: Record<string, string> = {}) =>
      server.form(
        "/oauth/v2/token",
        { grant_type: "client_credentials", scope, ...more },
        basicOf("robot", clientSecret),
      );
    const canCall = async (token: string) =>
      (await server.rest("GET", `/v2/users/${userId}`, { token })).status === 200;
    const project = `${iam}:org:project:id:${projectId}:aud`;
    const { body } = await ask(`openid tools:read ${apis} ${project}`, { resource: tools });
    assert.equal(body.scope, "openid tools:read");
    assert.equal(await canCall(body.access_token), false);
    assert.equal((await server.introspect(body.access_token))["active"], false, "nor is it for the project");
    assert.equal(await canCall((await ask(`openid ${apis}`)).body.access_token), true);
    assert.equal(await canCall((await ask("openid", { resource: server.origin })).body.access_token), true);
  });
});
