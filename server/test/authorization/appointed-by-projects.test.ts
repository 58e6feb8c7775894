import assert from "node:assert/strict";
import { addStaff, bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { makeServiceAccount } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const methods = "service.internal_permission.v2.InternalPermissionService";
const states = { active: "ADMINISTRATOR_STATE_ACTIVE", offered: "ADMINISTRATOR_STATE_PENDING" };

/** An organization whose users sign in at a provider, with accounts and links that a manager of users made. */
async function setUp(server: TestServer, provider: TestProvider) {
  const trust = createTrust(server);
  const { organizationId, owner, clerk } = await addStaff(server, "acme");
  const idpId = await trust.addTo(organizationId, owner.token, bodyAt(provider));
  const provision = async (name: string): Promise<string> => {
    const human = {
      profile: { givenName: name, familyName: "Example" },
      email: { email: `${name}@mail.example`, isVerified: true },
      idpLinks: [{ idpId, userId: `${name}-sub`, userName: name }],
    };
    const { token } = await sessionOf(server, clerk);
    const made = await server.rest("POST", "/v2/users/new", {
      body: { organizationId, username: name, human },
      token,
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return String(made.body.id);
  };
  const comesIn = async (name: string): Promise<boolean> => {
    provider.user = { ...provider.user, sub: `${name}-sub`, email: `${name}@mail.example`, email_verified: true };
    return isIn(await trust.throughPages(organizationId, idpId, provider));
  };
  return { organizationId, owner, provision, comesIn };
}

/** What a caller does as the owner of a project that they create. */
async function createProject(server: TestServer, organizationId: string, token: string, name = "Mine") {
  const made = await server.connect(
    "service.project.v2.ProjectService/CreateProject",
    { organizationId, name },
    { token },
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { projectId } = made.body;
  const give = (userId: string, resource: object, role: string) =>
    server.connect(`${methods}/CreateAdministrator`, { userId, resource, roles: [role] }, { token });
  return {
    projectId,
    appoint: (userId: string) => give(userId, { projectId }, "PROJECT_OWNER_VIEWER"),
    appointToGrant: async (userId: string, grantedOrganizationId: string) => {
      const granted = await server.connect(
        "service.project.v2.ProjectService/CreateProjectGrant",
        { projectId, grantedOrganizationId },
        { token },
      );
      assert.equal(granted.status, 200, JSON.stringify(granted.body));
      const projectGrant = { projectId, organizationId: grantedOrganizationId };
      return give(userId, { projectGrant }, "PROJECT_GRANT_OWNER_VIEWER");
    },
    appointByV1: (userId: string) =>
      server.rest("POST", `/management/v1/projects/${projectId}/members`, {
        body: { userId, roles: ["PROJECT_OWNER_VIEWER"] },
        token,
        headers: { "x-service-orgid": organizationId },
      }),
  };
}

serversInTurn((start, test, both) => {
  test("creators of projects offer positions to colleagues, whose sign-in stays", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const { organizationId, provision, comesIn } = await setUp(server, provider);
    const userId = await provision("vera");
    const robot = await makeServiceAccount(server, organizationId, "robot");
    await appoint(server, robot, { organizationId }, ["ORG_PROJECT_CREATOR"]);
    const project = await createProject(server, organizationId, robot.token);
    assert.ok(await comesIn("vera"));
    const appointed = await project.appoint(userId);
    assert.deepEqual([appointed.status, appointed.body.state], [200, states.offered]);
    assert.ok(await comesIn("vera"));
    const byV1 = await provision("vic");
    assert.equal((await project.appointByV1(byV1)).status, 200);
    assert.ok(await comesIn("vic"));
  });

  test("so do creators who are at home in another organization, also on a grant to it", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const { organizationId, provision, comesIn } = await setUp(server, provider);
    const agency = await addOrganization(server, "agency");
    const person = await addPerson(server, { username: "mallory", organizationId: agency });
    await appoint(server, person, { organizationId }, ["ORG_PROJECT_CREATOR"]);
    const project = await createProject(server, organizationId, (await sessionOf(server, person)).token);
    for (const name of ["vera", "gwen"]) {
      const userId = await provision(name);
      const appointed = name === "vera" ? project.appoint(userId) : project.appointToGrant(userId, agency);
      assert.equal((await appointed).body.state, states.offered);
      assert.ok(await comesIn(name));
    }
  });

  both(
    "positions that owners of the organization give take effect at once, and those of service accounts",
    async (t) => {
      const server = await start(t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const { organizationId, owner, provision, comesIn } = await setUp(server, provider);
      const ofOwner = await createProject(server, organizationId, owner.token);
      const userId = await provision("vera");
      assert.ok(await comesIn("vera"));
      assert.equal((await ofOwner.appoint(userId)).body.state, states.active);
      // What an administrator with fewer rights prepared ends by it.
      assert.equal(await comesIn("vera"), false);
      const robot = await makeServiceAccount(server, organizationId, "robot");
      await appoint(server, robot, { organizationId }, ["ORG_PROJECT_CREATOR"]);
      const ofRobot = await createProject(server, organizationId, robot.token, "Second");
      const other = await makeServiceAccount(server, organizationId, "deployment");
      assert.equal((await ofRobot.appoint(other.userId)).body.state, states.active);
    },
  );
});
