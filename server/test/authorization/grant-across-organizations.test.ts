import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { makeServiceAccount } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const canary = "quetzal";
const projects = "project.v2.ProjectService";
const roles = "authorization.v2.AuthorizationService";
const positions = "internal_permission.v2.InternalPermissionService";
const management = "management.v1.ManagementService";

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  readonly token: string;
}

async function addOwner(server: TestServer, name: string): Promise<Owner> {
  const organizationId = await addOrganization(server, name);
  const owner = await makeServiceAccount(server, organizationId, `owner-of-${name}`);
  await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
  return { organizationId, ...owner };
}

function callsOf(server: TestServer) {
  const ask = (method: string, body: object, token: string, organizationId?: string) => {
    const headers = organizationId === undefined ? {} : { headers: { "x-service-orgid": organizationId } };
    return server.connect(`service.${method}`, body, { token, ...headers });
  };
  const done: typeof ask = async (method, ...rest) => {
    const answer = await ask(method, ...rest);
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  return { ask, done };
}

/** Makes a project of one organization, lends it to another, and returns its id and the grant's. */
async function lend(server: TestServer, from: Owner, to: Owner) {
  const { done } = callsOf(server);
  const { organizationId, token } = from;
  const { body } = await done(`${projects}/CreateProject`, { organizationId, name: "Portal" }, token);
  const { projectId } = body;
  await done(`${projects}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" }, token);
  const lent = { projectId, grantedOrganizationId: to.organizationId, roleKeys: ["reader"] };
  await done(`${projects}/CreateProjectGrant`, lent, token);
  const granted = await done(`${management}/ListGrantedProjects`, {}, to.token);
  return { projectId, grantId: granted.body.result[0].grantId };
}

eachServer((start) => {
  test("an organization that grants a project reads and writes nothing about the grantee's users (H4)", async (t) => {
    const server = await start(t);
    const { ask, done } = callsOf(server);
    const bank = await addOwner(server, "Bank");
    const evil = await addOwner(server, "Evil");
    const { userId } = await addPerson(server, { username: canary, organizationId: bank.organizationId });
    const { projectId, grantId } = await lend(server, evil, bank);
    const helper = await makeServiceAccount(server, evil.organizationId, "helper");
    const resource = { projectGrant: { projectId, organizationId: bank.organizationId } };
    const position = { userId: helper.userId, resource, roles: ["PROJECT_GRANT_OWNER"] };
    await done(`${positions}/CreateAdministrator`, position, evil.token);

    const role = { userId, projectId, organizationId: bank.organizationId, roleKeys: ["reader"] };
    const assigned = await ask(`${roles}/CreateAuthorization`, role, helper.token);
    assert.equal(slugOf(assigned), "authorization.user_not_found");
    const older = { userId, projectId, projectGrantId: grantId, roleKeys: ["reader"] };
    const assignedByV1 = await ask(`${management}/AddUserGrant`, older, helper.token, bank.organizationId);
    assert.notEqual(assignedByV1.status, 200);

    // The bank uses the grant at once.
    await done(`${roles}/CreateAuthorization`, role, bank.token);
    for (const token of [helper.token, evil.token, bank.token]) {
      const isBank = token === bank.token;
      const listed = await done(`${roles}/ListAuthorizations`, {}, token);
      assert.equal(JSON.stringify(listed.body).includes(canary), isBank);
      const found = await done(
        `${roles}/ListAuthorizations`,
        { filters: [{ userDisplayName: { displayName: canary, method: "TEXT_FILTER_METHOD_STARTS_WITH" } }] },
        token,
      );
      assert.equal(JSON.stringify(found.body).includes(userId), isBank, "nor does a search tell");
      const grants = await ask(`${management}/ListUserGrants`, { queries: [] }, token, bank.organizationId);
      assert.equal(JSON.stringify(grants.body).includes(canary), isBank);
      const query = { queries: [{ emailQuery: { email: canary, method: "TEXT_QUERY_METHOD_STARTS_WITH" } }] };
      const byEmail = await ask(`${management}/ListUserGrants`, query, token, bank.organizationId);
      assert.equal(JSON.stringify(byEmail.body).includes(userId), isBank);
    }
    const seen = await done(`${roles}/ListAuthorizations`, {}, helper.token);
    assert.match(JSON.stringify(seen.body), new RegExp(userId), "the assignment itself stays in the list");
  });

  test("a colleague whom the lender appointed assigns nothing to colleagues, one of the own organization does", async (t) => {
    const server = await start(t);
    const { ask, done } = callsOf(server);
    const bank = await addOwner(server, "Bank");
    const evil = await addOwner(server, "Evil");
    const { organizationId } = bank;
    const { projectId } = await lend(server, evil, bank);
    const resource = { projectGrant: { projectId, organizationId } };
    const people = ["lenders", "selfmade", "homes", "first", "second"];
    const [lenders, selfmade, homes, first, second] = await Promise.all(
      people.map((username) => addPerson(server, { username, organizationId })),
    );
    assert.ok(lenders && selfmade && homes && first && second);
    const { body: group } = await done(
      "group.v2.GroupService/CreateGroup",
      { organizationId, name: "All" },
      bank.token,
    );
    const offer = { resource, roles: ["PROJECT_GRANT_OWNER"] };
    const own = { resource: { projectId }, roles: ["PROJECT_OWNER"] };
    const appointed = async (person: typeof lenders, { position, by }: { position: object; by: Owner }) => {
      const { userId } = person;
      await done(`${positions}/CreateAdministrator`, { userId, ...position }, by.token);
      const { token } = await sessionOf(server, person);
      if (by === evil) await done(`${positions}/AcceptAppointment`, { userId, ...position }, token);
      return (await sessionOf(server, person)).token;
    };
    const assign = async (assignee: object, token: string) =>
      slugOf(
        await ask(
          `${roles}/CreateAuthorization`,
          { ...assignee, projectId, organizationId, roleKeys: ["reader"] },
          token,
        ),
      );
    const lendersToken = await appointed(lenders, { position: offer, by: evil });
    const selfmadeToken = await appointed(selfmade, { position: own, by: evil });
    await done(`${positions}/CreateAdministrator`, { userId: selfmade.userId, ...offer }, selfmadeToken);
    for (const token of [lendersToken, selfmadeToken]) {
      assert.equal(await assign({ userId: first.userId }, token), "authorization.user_not_found");
      assert.equal(await assign({ groupId: group.id }, token), "authorization.group_not_found");
    }
    assert.equal(await assign({ userId: lenders.userId }, lendersToken), "done", "to themselves");
    const homesToken = await appointed(homes, { position: offer, by: bank });
    assert.equal(await assign({ userId: first.userId }, homesToken), "done");
    assert.equal(await assign({ groupId: group.id }, homesToken), "done");
    assert.equal(await assign({ userId: second.userId }, bank.token), "done");
  });

  test("an organization that was granted a project learns no names from memberships of the grant (H4)", async (t) => {
    const server = await start(t);
    const { done } = callsOf(server);
    const bank = await addOwner(server, "Bank");
    const evil = await addOwner(server, "Evil");
    const { userId } = await addPerson(server, { username: canary, organizationId: bank.organizationId });
    const { projectId, grantId } = await lend(server, bank, evil);
    const resource = { projectGrant: { projectId, organizationId: evil.organizationId } };
    const position = { userId, resource, roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
    await done(`${positions}/CreateAdministrator`, position, evil.token);

    const loginName = { preferredLoginName: canary, method: "TEXT_FILTER_METHOD_STARTS_WITH" };
    const found = [{ userPreferredLoginName: loginName }];
    for (const { token } of [evil, bank]) {
      const isBank = token === bank.token;
      const listed = await done(`${positions}/ListAdministrators`, {}, token);
      assert.match(JSON.stringify(listed.body), new RegExp(userId));
      assert.equal(JSON.stringify(listed.body).includes(canary), isBank);
      const search = await done(`${positions}/ListAdministrators`, { filters: found }, token);
      assert.equal(JSON.stringify(search.body).includes(userId), isBank, "nor does a search tell");
    }
    const members = await done(`${management}/ListProjectGrantMembers`, { projectId, grantId }, evil.token);
    assert.match(JSON.stringify(members.body), new RegExp(userId));
    assert.doesNotMatch(JSON.stringify(members.body), new RegExp(canary));
  });

  test("roles go to groups that the caller may know, and lists name no others (L1)", async (t) => {
    const server = await start(t);
    const { ask, done } = callsOf(server);
    const bank = await addOwner(server, "Bank");
    const evil = await addOwner(server, "Evil");
    const { organizationId, token } = evil;
    const addGroup = async (owner: Owner, name: string): Promise<string> =>
      (await done("group.v2.GroupService/CreateGroup", { organizationId: owner.organizationId, name }, owner.token))
        .body.id;
    const theirs = await addGroup(bank, canary);
    const own = await addGroup(evil, "Our group");
    const { projectId } = (await done(`${projects}/CreateProject`, { organizationId, name: "Own" }, token)).body;
    const role = { projectId, organizationId, roleKeys: [] };
    const refused = await ask(`${roles}/CreateAuthorization`, { groupId: theirs, ...role }, token);
    assert.equal(slugOf(refused), "authorization.group_not_found");
    await done(`${roles}/CreateAuthorization`, { groupId: own, ...role }, token);
    // An administrator of the instance knows both sides.
    await done(`${roles}/CreateAuthorization`, { groupId: theirs, ...role }, server.ownerToken);
    const listed = JSON.stringify((await done(`${roles}/ListAuthorizations`, {}, token)).body);
    assert.match(listed, new RegExp(theirs));
    assert.match(listed, /Our group/);
    assert.doesNotMatch(listed, new RegExp(canary));
  });
});
