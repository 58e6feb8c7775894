import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { enginesInTurn } from "../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { addResource } from "../support/oidc/resources.ts";
import { addOrganization } from "../support/people/people.ts";

const iam = "urn:service:iam";
const projects = "service.project.v2.ProjectService";
const applications = "service.application.v2.ApplicationService";

async function ok(answering: ReturnType<OidcServer["connect"]>) {
  const { status, body } = await answering;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const addRole = (server: OidcServer, projectId: string, roleKey: string) =>
  ok(server.connect(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey }));

const assign = (server: OidcServer, body: { projectId: string; organizationId: string; roleKeys: string[] }) =>
  ok(
    server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
      userId: server.user.userId,
      ...body,
    }),
  );

async function addGroup(server: OidcServer, name: string, organizationId: string, userIds: string[]) {
  const groups = "service.group.v2.GroupService";
  const { id } = await ok(server.connect(`${groups}/CreateGroup`, { organizationId, name }));
  if (userIds.length > 0) await ok(server.connect(`${groups}/AddUsersToGroup`, { id, userIds }));
}

async function addApi(server: OidcServer, projectId: string): Promise<TestClient> {
  const { applicationId, apiConfiguration } = await ok(
    server.connect(`${applications}/CreateApplication`, {
      projectId,
      name: "API",
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    }),
  );
  const { clientId, clientSecret } = apiConfiguration;
  return { applicationId, clientId, clientSecret, redirectUri: "", basic: basicOf(clientId, clientSecret) };
}

/** A person with two roles in the project of the application, and two groups. */
async function setUp(server: OidcServer): Promise<void> {
  const { projectId, organizationId, user } = server;
  for (const key of ["editor", "admin"]) await addRole(server, projectId, key);
  await assign(server, { projectId, organizationId, roleKeys: ["editor", "admin"] });
  for (const name of ["sales", "Board"]) await addGroup(server, name, organizationId, [user.userId]);
  await addGroup(server, "strangers", organizationId, []);
}

/** What each source says of the user: id token, JWT access token, userinfo, introspection. */
async function claimsBySource(server: OidcServer, client: TestClient, scope = "openid", api = client) {
  const tokens = await server.tokens({ client, scope });
  const token = tokens["access_token"] ?? "";
  return {
    idToken: decodeJwt(tokens["id_token"] ?? "") as Record<string, unknown>,
    accessToken: decodeJwt(token) as Record<string, unknown>,
    userinfo: (await server.rest("GET", "/oidc/v1/userinfo", { token })).body as Record<string, unknown>,
    introspection: await server.introspect(token, api),
  };
}

const on = { accessTokenType: "OIDC_TOKEN_TYPE_JWT", roleListAssertion: true, groupListAssertion: true };

enginesInTurn((engine, test) => {
  test("roles and groups are arrays of names where an application chose so, under names that it chose (R4)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setUp(server);

    await t.test("everywhere, RFC 9068 §2.2.3.1", async () => {
      const client = await server.createClient(on);
      for (const [source, claims] of Object.entries(await claimsBySource(server, client))) {
        assert.deepEqual(claims["roles"], ["admin", "editor"], source);
        assert.deepEqual(claims["groups"], ["Board", "sales"], source);
      }
      const api = await addApi(server, server.projectId);
      const { introspection } = await claimsBySource(server, client, "openid", api);
      assert.deepEqual(
        introspection["roles"],
        ["admin", "editor"],
        "an API of the project gets what its application gets",
      );
      assert.deepEqual(introspection["groups"], ["Board", "sales"]);
    });

    await t.test("nowhere by default", async () => {
      const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
      for (const [source, claims] of Object.entries(
        await claimsBySource(server, client, `openid ${iam}:org:projects:roles`),
      )) {
        assert.deepEqual([claims["roles"], claims["groups"]], [undefined, undefined], source);
      }
    });

    await t.test("each by itself, under another name, and empty when there are none", async () => {
      const client = await server.createClient({
        ...on,
        roleListAssertion: false,
        groupListClaim: "https://app.example/claims/groups",
      });
      const { userinfo } = await claimsBySource(server, client);
      assert.deepEqual(userinfo["https://app.example/claims/groups"], ["Board", "sales"]);
      assert.deepEqual([userinfo["roles"], userinfo["groups"]], [undefined, undefined]);
      const { projectId } = await ok(
        server.connect(`${projects}/CreateProject`, { organizationId: server.organizationId, name: "Empty" }),
      );
      const empty = await claimsBySource(server, await server.createClient(on, projectId));
      assert.deepEqual(empty.accessToken["roles"], []);
    });

    await t.test("the scopes that narrow role claims narrow the list", async () => {
      const client = await server.createClient(on);
      const { userinfo } = await claimsBySource(server, client, `openid ${iam}:org:project:role:editor`);
      assert.deepEqual(userinfo["roles"], ["editor"]);
      const elsewhere = await claimsBySource(server, client, `openid ${iam}:org:roles:id:404`);
      assert.deepEqual(elsewhere.userinfo["roles"], []);
    });
  });

  test("lists name nothing of another organization, and are not in what another recipient reads (R4)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setUp(server);
    const organizationId = await addOrganization(server, "Bank Ltd");
    const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name: "Bank" }));
    await addRole(server, projectId, "teller");
    await assign(server, { projectId, organizationId, roleKeys: ["teller"] });
    await addGroup(server, "vault", organizationId, []);

    await t.test("an application of another organization gets its roles and none of the user's groups", async () => {
      const client = await server.createClient(on, projectId);
      for (const [source, claims] of Object.entries(await claimsBySource(server, client))) {
        assert.deepEqual([claims["roles"], claims["groups"]], [["teller"], []], source);
      }
    });

    // The bank granted its project, so its API may be in the audience. It would take "admin" for a role of its own.
    await ok(
      server.connect(`${projects}/CreateProjectGrant`, {
        projectId,
        grantedOrganizationId: server.organizationId,
        roleKeys: ["teller"],
      }),
    );
    const client = await server.createClient({ ...on, wideIdTokenAudience: true });

    await t.test("a project in the audience keeps both lists out", async () => {
      const scope = `openid ${iam}:org:project:id:${projectId}:aud ${iam}:org:projects:roles`;
      const api = await addApi(server, projectId);
      const { introspection, ...told } = await claimsBySource(server, client, scope, api);
      assert.equal(introspection["active"], true);
      assert.deepEqual([introspection["roles"], introspection["groups"]], [undefined, undefined]);
      for (const [source, claims] of Object.entries(told)) {
        assert.deepEqual([claims["roles"], claims["groups"]], [undefined, undefined], source);
      }
      assert.ok(told.userinfo[`${iam}:org:project:${projectId}:roles`], "the claim that names the project is there");
      const bank = await server.createClient({ ...on, roleListClaim: "bank_roles" }, projectId);
      const { access_token: token = "" } = await server.tokens({ client, scope });
      const asked = await server.introspect(token, bank);
      assert.deepEqual([asked["bank_roles"], asked["groups"]], [["teller"], []], "its own project and organization");
      assert.equal(asked["roles"], undefined);
    });

    await t.test("so does a resource, in the access token and at userinfo", async () => {
      await addResource(server, server.projectId, "https://api.bank.example/", {
        tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT",
      });
      const tokens = await server.tokens({ client, parameters: { resource: "https://api.bank.example/" } });
      const accessToken = decodeJwt(tokens["access_token"] ?? "");
      assert.ok([accessToken.aud].flat().includes("https://api.bank.example/"));
      assert.deepEqual([accessToken["roles"], accessToken["groups"]], [undefined, undefined]);
      assert.deepEqual(decodeJwt(tokens["id_token"] ?? "")["roles"], ["admin", "editor"], "for the client alone");
    });
  });

  test("a list takes no name of a protocol, of the user or of a namespace (R4)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { projectId, client } = server;
    const update = (fields: object) =>
      server.connect(`${applications}/UpdateApplication`, {
        projectId,
        applicationId: client.applicationId,
        oidcConfiguration: fields,
      });
    const taken = [
      "sub",
      "aud",
      "client_id",
      "scope",
      "cnf",
      "active",
      "username",
      "email",
      "email_verified",
      "address",
    ];
    const odd = [`${iam}:org:project:roles`, "URN:x:iam:roles", "__proto__", "two words", "a".repeat(101), "{roles}"];
    for (const name of [...taken, ...odd]) {
      for (const field of ["roleListClaim", "groupListClaim"]) {
        const { status, body } = await update({ [field]: name });
        assert.equal(status, 400, `${field} ${name}`);
        assert.match(JSON.stringify(body), new RegExp(field), name);
      }
    }
    assert.equal((await update({ groupListClaim: "roles" })).status, 400, "two lists of one name");
    assert.equal((await update({ roleListClaim: "cognito:roles", groupListClaim: "roles" })).status, 200);
    const shown = await ok(server.connect(`${applications}/GetApplication`, { applicationId: client.applicationId }));
    const { roleListAssertion = false, roleListClaim, groupListClaim } = shown.application.oidcConfiguration;
    assert.deepEqual([roleListAssertion, roleListClaim, groupListClaim], [false, "cognito:roles", "roles"]);
    assert.equal((await update({ roleListClaim: "", groupListClaim: "" })).status, 200, "the names of the beginning");
  });
});
