import assert from "node:assert/strict";
import { test } from "node:test";
import { knowProvider } from "../identity-provider/attempts.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { everythingStored } from "../tour/support/everything-stored.ts";

const tenantId = "750000000000000001";

const importing = async (server: TestServer, orgs: readonly object[]): Promise<RestAnswer["body"]> => {
  const { status, body } = await server.connect("service.admin.v1.AdminService/ImportData", { dataOrgs: { orgs } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const slugsOf = ({ errors = [] }: RestAnswer["body"]): Record<string, string> =>
  Object.fromEntries(
    errors.map(({ type, id, message }: { type: string; id: string; message: string }) => [
      `${type} ${id}`,
      /\((.*)\)$/.exec(message)?.[1],
    ]),
  );

const machine = (userId: string, userName: string) => ({ userId, user: { userName, name: "Robot" } });

// What changes with whatever is written: the event log, counts and the index for searches.
const moving = /^(?:events|instances|sqlite_sequence|user_counts|user_words|milestones|personal_access_tokens)/;

eachServer((start) => {
  test("entries of an organization reach nothing of another one", async (t) => {
    const server = await start(t);
    const ok = async (method: string, body: object, token?: string): Promise<RestAnswer["body"]> => {
      const answer = await server.connect(method, body, token === undefined ? {} : { token });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await knowProvider(server, provider);
    const bank = await addOwnedOrganization(server, "Bank");
    const operator = await addPerson(server, { username: "operator" });
    await appoint(server, operator, { instance: true }, ["IAM_OWNER"]);
    const projects = "service.project.v2.ProjectService";
    const vault = { organizationId: bank.organizationId, name: "Vault" };
    const { projectId } = await ok(`${projects}/CreateProject`, vault, bank.token);
    const role = { projectId, roleKey: "clerk", displayName: "Clerk" };
    await ok(`${projects}/AddProjectRole`, role, bank.token);
    const instanceProject = (await ok(`${projects}/ListProjects`, {})).projects.find(
      ({ projectId: id }: { projectId: string }) => id !== projectId,
    );
    assert.ok(instanceProject);
    const bob = await addPerson(server, { username: "bob", organizationId: bank.organizationId });
    const userId = bob.userId;

    await t.test("whatever they name", async () => {
      const before = await everythingStored(server);
      const own = {
        machineUsers: [machine("751", "own")],
        projects: [{ projectId: "752", project: { name: "Own" } }],
        projectRoles: [{ projectId: "752", roleKey: "guest", displayName: "Guest" }],
      };
      const app = {
        name: "Inside",
        redirectUris: ["https://evil.example/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      };
      const targets = [userId, operator.userId];
      const foreign = {
        projectRoles: [...own.projectRoles, { projectId, roleKey: "spy", displayName: "Spy" }],
        oidcApps: [projectId, instanceProject.projectId].map((id, index) => ({
          appId: `76${index}`,
          app: { ...app, projectId: id },
        })),
        apiApps: [{ appId: "763", app: { projectId, name: "API", authMethodType: "API_AUTH_METHOD_TYPE_BASIC" } }],
        humanUsers: targets.map((id) => ({
          userId: id,
          user: {
            userName: `taken-${id}`,
            profile: { firstName: "P", lastName: "P" },
            email: { email: "p@evil.example" },
          },
          state: "USER_STATE_INACTIVE",
        })),
        machineUsers: [...own.machineUsers, { ...machine(bank.userId, "taken"), state: "USER_STATE_LOCKED" }],
        machineKeys: [{ keyId: "k", userId: bank.userId, publicKey: "eA==" }],
        userLinks: targets.map((id) => ({ userId: id, idpId, providedUserId: "mallory", providedUserName: "m" })),
        userMetadata: targets.map((id) => ({ id, key: "k", value: "eA==" })),
        projectGrants: [{ grantId: "g", projectGrant: { projectId, grantedOrgId: tenantId, roleKeys: ["clerk"] } }],
        userGrants: [{ userId: "751", projectId, roleKeys: ["clerk"] }],
        projectMembers: [{ projectId, userId: "751", roles: ["PROJECT_OWNER"] }],
        projectGrantMembers: [{ projectId, grantId: "g", userId: "751", roles: ["PROJECT_GRANT_OWNER"] }],
      };
      const body = await importing(server, [{ orgId: tenantId, org: { name: "Tenant" }, ...own, ...foreign }]);
      const refused = slugsOf(body);
      const expected = Object.values(foreign).flatMap((entries: readonly object[]) => entries).length - 2 + 3;
      assert.equal(Object.keys(refused).length, expected, JSON.stringify(refused));
      for (const [entry, slug] of Object.entries(refused)) {
        assert.match(slug, /_not_found$|\.not_found$|\.id_taken$|project_not_granted$/, `${entry} ${slug}`);
      }
      assert.deepEqual(body.success.orgs[0].machineUserIds, ["751"], "the control");
      assert.deepEqual(body.success.orgs[0].projectRoles, ["752_guest"], "the control");
      const after = await everythingStored(server);
      const rows = new Set(after.map(({ table, row }) => `${table} ${row}`));
      const changed = before.filter(({ table, row }) => !moving.test(table) && !rows.has(`${table} ${row}`));
      assert.deepEqual(changed, []);
      const former = new Set(before.map(({ table, row }) => `${table} ${row}`));
      const added = after.filter(({ table, row }) => !former.has(`${table} ${row}`) && !moving.test(table));
      assert.ok(added.length > 3);
      assert.deepEqual(
        added.filter(({ row }) =>
          [bank.organizationId, projectId, ...targets].some((id) => row.split(" ").includes(id)),
        ),
        [],
      );
    });

    await t.test("nor the project of the instance, also in the organization that has it", async () => {
      const { projectId: builtIn, organizationId: orgId } = instanceProject;
      const app = { projectId: builtIn, name: "API", authMethodType: "API_AUTH_METHOD_TYPE_BASIC" };
      const role = { roleKey: "r", displayName: "R" };
      const body = await importing(server, [
        {
          orgId,
          projects: [{ projectId: "754", project: { name: "Own" } }],
          projectRoles: [builtIn, "754"].map((id) => ({ ...role, projectId: id })),
          apiApps: [{ appId: "764", app }],
        },
      ]);
      const refused = { [`project_role ${builtIn}_r`]: "permission.missing", "api_app 764": "permission.missing" };
      assert.deepEqual(slugsOf(body), refused);
      assert.deepEqual(body.success.orgs[0].projectRoles, ["754_r"], "the control");
    });

    await t.test("no author of what they said is the instance", async () => {
      const former = new Set((await everythingStored(server)).map(({ row }) => row));
      const text = { language: "en", subject: "S", title: "T", greeting: "G", text: "T", buttonText: "B" };
      const jwt = { name: "Tokens", jwtEndpoint: "https://jwt.example/in", issuer: "https://jwt.example" };
      const idp = { ...jwt, keysEndpoint: "https://jwt.example/keys", headerName: "x-auth" };
      const person = {
        userName: "ada",
        profile: { firstName: "A", lastName: "A" },
        email: { email: "ada@corp.example", isEmailVerified: true },
        phone: { phone: "+41791234567", isPhoneVerified: true },
        password: "correct horse battery staple",
        idps: [{ configId: idpId, externalUserId: "ada", displayName: "Ada" }],
      };
      const orgMembers = [
        { userId: "753", roles: ["ORG_OWNER"] },
        { userId: operator.userId, roles: ["ORG_OWNER"] },
      ];
      const body = await importing(server, [
        // Names the operator as a user of their organization, for the position below.
        { orgId: instanceProject.organizationId, humanUsers: [{ userId: operator.userId }] },
        {
          orgId: tenantId,
          jwtIdps: [{ idpId: "j", idp }],
          initMessages: [text],
          humanUsers: [{ userId: "753", user: person }],
          userLinks: [{ userId: "753", idpId: "j", providedUserId: "a", providedUserName: "a" }],
          actions: [{ actionId: "a", action: { name: "note", script: "function note(ctx, api) {}" } }],
          orgMembers,
        },
      ]);
      assert.deepEqual(slugsOf(body), { [`human_user ${operator.userId}`]: "data.not_imported" });
      const { events } = await ok("service.admin.v1.AdminService/ListEvents", { aggregateId: "753", limit: 1 });
      assert.match(events[0].editor.userId, /^\/import\/\d+$/, "the log tells who imported");
      const stored = await everythingStored(server);
      const added = stored.filter(({ table, row }) => !former.has(row) && !moving.test(table));
      const authored = added.filter(({ row }) => row.includes('"resourceId"'));
      assert.deepEqual(
        authored.filter(({ row }) => /"(?:instance|system)"|IAM_|SYSTEM_/.test(row)),
        [],
      );
      // The control: who said it is stored, of the person, the links, the provider and the text.
      const tables = new Set(authored.map(({ table }) => table));
      assert.equal(tables.size, 4, [...tables].join());
      const { administrators } = await ok(
        "service.internal_permission.v2.InternalPermissionService/ListAdministrators",
        {
          filters: [{ resource: { organizationId: tenantId } }],
        },
      );
      assert.deepEqual(
        administrators
          .map(({ user: { id }, roles = [] }: RestAnswer["body"]) => [id, roles])
          .toSorted()
          .map(([id, roles]: [string, string[]]) => (id === operator.userId ? ["operator", roles] : [id, roles])),
        [
          ["753", ["ORG_OWNER"]],
          ["operator", []],
        ],
      );
    });

    await t.test("not by an id that another organization of the data means", async () => {
      const evil = { orgId: "770", org: { name: "Evil" }, machineUsers: [machine("771", "clerk")] };
      const mint = {
        orgId: "780",
        org: { name: "Mint" },
        projects: [{ projectId: "781", project: { name: "Press" } }],
        projectRoles: [{ projectId: "781", roleKey: "printer", displayName: "Printer" }],
        machineUsers: [machine("771", "clerk"), machine("782", "baker")],
        userGrants: ["771", "782"].map((id) => ({ userId: id, projectId: "781", roleKeys: ["printer"] })),
        orgMembers: ["771", "782"].map((id) => ({ userId: id, roles: ["ORG_OWNER"] })),
        projectMembers: ["771", "782"].map((id) => ({ projectId: "781", userId: id, roles: ["PROJECT_OWNER"] })),
      };
      const body = await importing(server, [evil, mint]);
      assert.deepEqual(slugsOf(body), {
        "machine_user 771": "user.id_taken",
        "user_grant 781_771": "user.not_found",
        "org_member 771": "user.not_found",
        "project_member 781_771": "user.not_found",
      });
      const { userGrants, orgMembers, projectMembers } = body.success.orgs[1];
      assert.deepEqual([userGrants.length, orgMembers, projectMembers.length], [1, ["782"], 1], "the control");

      // A provider and an action mean those of their own organization.
      const action = (name: string) => ({ actionId: "a", action: { name, script: `function ${name}(ctx, api) {}` } });
      const flow = { triggerActions: [{ flowType: "1", triggerType: "1", actionIds: ["a"] }] };
      const both = [
        { orgId: "780", actions: [action("good")], ...flow },
        { orgId: "770", actions: [action("bad")] },
      ];
      const { errors } = await importing(server, both);
      assert.equal(errors, undefined, JSON.stringify(errors));
      const headers = { "x-service-orgid": "780" };
      const { flow: read } = (await server.rest("GET", "/management/v1/flows/1", { headers })).body;
      assert.equal(read.triggerActions[0].actions[0].name, "good");
    });
  });
});
