import assert from "node:assert/strict";
import { slugOf } from "../factor/support.ts";
import { addOwnedOrganization, type OwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const users = "service.user.v2.UserService";
const permissions = "service.internal_permission.v2.InternalPermissionService";

interface Stage {
  readonly server: TestServer;
  readonly home: OwnedOrganization;
  readonly elsewhere: OwnedOrganization;
  /** A project of the other organization, granted to the home. */
  readonly projectId: string;
  /** The positions in the other organization to which the instance appoints people of the home. */
  readonly positions: readonly { readonly resource: object; readonly role: string }[];
}

async function makeStage(server: TestServer): Promise<Stage> {
  const home = await addOwnedOrganization(server, "Home");
  const elsewhere = await addOwnedOrganization(server, "Elsewhere");
  const by = { token: elsewhere.token };
  const projects = "service.project.v2.ProjectService";
  const wanted = { organizationId: elsewhere.organizationId, name: "Lent" };
  const made = await server.connect(`${projects}/CreateProject`, wanted, by);
  const projectId: string = made.body.projectId ?? made.body.id;
  const grant = { projectId, grantedOrganizationId: home.organizationId, roleKeys: [] };
  assert.equal((await server.connect(`${projects}/CreateProjectGrant`, grant, by)).status, 200);
  const positions = [
    { resource: { organizationId: elsewhere.organizationId }, role: "ORG_OWNER" },
    { resource: { projectId }, role: "PROJECT_OWNER" },
    { resource: { projectGrant: { projectId, organizationId: home.organizationId } }, role: "PROJECT_GRANT_OWNER" },
  ];
  return { server, home, elsewhere, projectId, positions };
}

const outcome = (answer: RestAnswer): string => (answer.status === 200 ? "done" : slugOf(answer));

/** Adds a manager of the users of the home, who holds nothing more. */
async function addManager({ server, home }: Stage): Promise<string> {
  const manager = await addPerson(server, { username: "manager", organizationId: home.organizationId });
  await appoint(server, manager, { organizationId: home.organizationId }, ["ORG_USER_MANAGER"]);
  return (await sessionOf(server, manager)).token;
}

serversInTurn((start, test) => {
  test("memberships in other organizations do not restrict the home organization's control of its service accounts' credentials (A15)", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, home, positions } = stage;
    const by = { token: await addManager(stage) };
    const call = async (method: string, body: object) => server.connect(`${users}/${method}`, body, by);
    const created = await call("CreateUser", {
      organizationId: home.organizationId,
      username: "deployer",
      machine: { name: "Deployer" },
    });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const userId: string = created.body.id;
    const expirationDate = new Date(server.clock.now + 3_600_000).toISOString();
    const token = (await call("AddPersonalAccessToken", { userId, expirationDate })).body;
    const { keyId } = (await call("AddKey", { userId, expirationDate })).body;
    assert.equal((await call("AddSecret", { userId })).status, 200);
    for (const { resource, role } of positions) await appoint(server, { userId }, resource, [role]);

    for (const [method, body] of [
      ["AddSecret", {}],
      ["AddKey", { expirationDate }],
      ["AddPersonalAccessToken", { expirationDate }],
    ] as const) {
      assert.equal(
        outcome(await call(method, { userId, ...body })),
        "user.administers_more",
        `${method} would gain it`,
      );
    }
    const uses = () => server.rest("GET", "/auth/v1/users/me", { token: token.token });
    assert.equal((await uses()).status, 200);
    assert.equal(outcome(await call("RemovePersonalAccessToken", { userId, tokenId: token.tokenId })), "done");
    assert.equal((await uses()).status, 401, "a token that leaked is good for nothing any more");
    assert.equal(outcome(await call("RemoveKey", { userId, keyId })), "done");
    assert.equal(outcome(await call("RemoveSecret", { userId })), "done");

    const atHome = { token: home.token };
    for (const [index, { resource }] of positions.entries()) {
      const { token: remover } = index < 2 ? by : atHome;
      const asked = { userId, resource };
      const removed = await server.connect(`${permissions}/DeleteAdministrator`, asked, { token: remover });
      assert.equal(outcome(removed), "done", "the home takes its account out of every position elsewhere");
    }
    assert.equal(outcome(await call("AddKey", { userId, expirationDate })), "done");
  });

  test("memberships elsewhere hide no data of its users from their organization, and bind no caller (A15)", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, home, elsewhere, positions } = stage;
    const by = { token: await addManager(stage) };
    const person = await addPerson(server, { username: "quetzal", organizationId: home.organizationId });
    const { userId } = person;
    for (const { resource, role } of positions) await appoint(server, person, resource, [role]);
    const call = async (method: string, body: object) =>
      outcome(await server.connect(`${users}/${method}`, { userId, ...body }, by));

    assert.equal(
      await call("UpdateUser", { human: { profile: { givenName: "Quetzal", familyName: "Coatl" } } }),
      "done",
    );
    assert.equal(await call("SetUserMetadata", { metadata: [{ key: "desk", value: "NA==" }] }), "done");
    assert.equal(await call("DeleteUserMetadata", { keys: ["desk"] }), "done");
    const gains = [
      { human: { password: { password: { password: "another long sentence for it" } } } },
      {
        human: {
          profile: { givenName: "Q", familyName: "C" },
          password: { password: { password: "one more sentence" } },
        },
      },
      { human: { email: { email: "elsewhere@mail.example", isVerified: true } } },
      { username: "another" },
    ];
    for (const body of gains)
      assert.equal(await call("UpdateUser", body), "user.administers_more", JSON.stringify(body));
    for (const move of ["LockUser", "UnlockUser", "DeactivateUser", "ReactivateUser"]) {
      assert.equal(await call(move, {}), "done", `${move}, also with a position on what was granted to the home`);
    }

    const end = async (resource: object, token: string) =>
      outcome(await server.connect(`${permissions}/DeleteAdministrator`, { userId, resource }, { token }));
    const [whole, project, grant] = positions;
    assert.ok(whole && project && grant);
    const other = await addPerson(server, { username: "other", organizationId: home.organizationId });
    const bystander = (await sessionOf(server, other)).token;
    for (const { resource } of positions) assert.notEqual(await end(resource, bystander), "done", "others end nothing");
    const { token } = await sessionOf(server, person);
    assert.equal(await end(whole.resource, token), "done", "people give up their own positions");
    assert.equal(await end(project.resource, by.token), "done", "the home ends them");
    assert.equal(await end(grant.resource, elsewhere.token), "done", "and so does who gave them");

    // A grant lies at home too: what its own owner appointed there is not for a manager of users.
    const granted = { userId, resource: grant.resource, roles: [grant.role] };
    const given = await server.connect(`${permissions}/CreateAdministrator`, granted, { token: home.token });
    assert.equal(outcome(given), "done");
    assert.notEqual(await end(grant.resource, by.token), "done");
    assert.equal(await end(grant.resource, home.token), "done");

    // What a user holds at home is not for those who hold less there.
    await appoint(server, person, { organizationId: home.organizationId }, ["ORG_OWNER"]);
    const ended = await end({ organizationId: home.organizationId }, by.token);
    assert.notEqual(ended, "done", "a manager of users removes no owner of their own organization");
    assert.equal(
      await call("UpdateUser", { human: { profile: { givenName: "Q", familyName: "C" } } }),
      "user.administers_more",
    );
  });

  test("only an administrator with at least the same rights can remove an administrator of the instance from memberships elsewhere", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, home, positions } = stage;
    const token = await addManager(stage);
    const root = await addPerson(server, { username: "second-root", organizationId: home.organizationId });
    const { userId } = root;
    await appoint(server, root, { instance: true }, ["IAM_OWNER"]);
    for (const { resource, role } of positions) {
      await appoint(server, root, resource, [role]);
      const answer = await server.connect(`${permissions}/DeleteAdministrator`, { userId, resource }, { token });
      assert.notEqual(outcome(answer), "done");
    }
    const self = (await sessionOf(server, root)).token;
    const resource = { instance: true };
    const given = await server.connect(`${permissions}/DeleteAdministrator`, { userId, resource }, { token: self });
    assert.equal(outcome(given), "done");
  });

  test("a user manager can end the sessions only of users who administer no more than they do", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, home, positions } = stage;
    const token = await addManager(stage);
    const end = async (person: Person) => {
      const { sessionId, token: own } = await sessionOf(server, person);
      const answer = await server.rest("DELETE", `/v2/sessions/${sessionId}`, { token, body: {} });
      const after = await server.rest("GET", "/auth/v1/users/me", { token: own });
      return { outcome: outcome(answer), isAlive: after.status === 200 };
    };
    const plain = await addPerson(server, { username: "quetzal", organizationId: home.organizationId });
    for (const { resource, role } of positions) await appoint(server, plain, resource, [role]);
    assert.deepEqual(await end(plain), { outcome: "done", isAlive: false }, "positions elsewhere do not count");
    const owner = await addPerson(server, { username: "owner-there", organizationId: home.organizationId });
    await appoint(server, owner, { organizationId: home.organizationId }, ["ORG_OWNER"]);
    const root = await addPerson(server, { username: "second-root", organizationId: home.organizationId });
    await appoint(server, root, { instance: true }, ["IAM_OWNER"]);
    for (const more of [owner, root]) {
      assert.deepEqual(await end(more), { outcome: "user.administers_more", isAlive: true });
    }
  });
});
