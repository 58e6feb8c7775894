import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { addResource, changeResource } from "../../support/oidc/resources.ts";
import { addOrganization } from "../../support/people/people.ts";
import { ok, projects } from "../support/registered-resources.ts";

const tools = "https://tools.example/mcp";

enginesInTurn((engine, test) => {
  test("a resource of another project reads no roles at UserInfo after its owner has removed it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, organizationId, user } = server;
    const other = await addOrganization(server, "Tools Ltd");
    const made = await ok(server.connect(`${projects}/CreateProject`, { organizationId: other, name: "Tools" }));
    const id = await addResource(server, made.projectId, tools, { scopes: [{ name: "tools:read" }] });
    await ok(server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "admin", displayName: "Admin" }));
    const assignment = { userId: user.userId, projectId, organizationId, roleKeys: ["admin"] };
    await ok(server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assignment));
    await ok(server.connect(`${projects}/UpdateProject`, { projectId, projectRoleAssertion: true }));
    const client = await server.createClient({ roleListAssertion: true, groupListAssertion: true });
    const getToken = async (scope: string, parameters: Record<string, string>): Promise<string> => {
      const { code, codeVerifier } = await server.signIn({ client, scope, parameters });
      const { redirectUri: redirect_uri } = client;
      const request = { grant_type: "authorization_code", code, redirect_uri, code_verifier: codeVerifier };
      return (await ok(server.form("/oauth/v2/token", request, client.basic))).access_token;
    };
    const rolesTold = async (token: string): Promise<string[]> => {
      const { status, body } = await server.rest("GET", "/oidc/v1/userinfo", { token });
      assert.equal(status, 200, JSON.stringify(body));
      return Object.keys(body).filter((name) => /roles$|^groups$/.test(name));
    };
    const sent = await getToken("openid tools:read", { resource: tools });
    assert.deepEqual(await rolesTold(sent), []);
    await changeResource(server, "DeleteResource", { id });
    assert.deepEqual(await rolesTold(sent), []);
    assert.ok((await rolesTold(await getToken("openid", {}))).includes("roles"), "the application itself");
  });
});
