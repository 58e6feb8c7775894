import assert from "node:assert/strict";
import { test } from "node:test";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const service = "service.group.v2.GroupService";
const authorizations = "service.authorization.v2.AuthorizationService";
const users = "service.user.v2.UserService";
const roleClaim = "urn:service:iam:org:project:roles";

eachServer((start) => {
  test("groups", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    const { organizationId, projectId, user } = oidc;
    const other = await addOrganization(server, "Other");
    const group = (method: string, body: object, token?: string) =>
      server.connect(`${service}/${method}`, body, token === undefined ? {} : { token });
    const slug = ({ body }: { body: { details?: { debug?: { id: string } }[] } }) => body.details?.[0]?.debug?.id;
    const add = async (given: object) => {
      const made = await group("CreateGroup", { organizationId, ...given });
      assert.ok(made.status < 300, JSON.stringify(made.body));
      return made.body.id as string;
    };
    const amy = await addPerson(server, { username: "amy" });
    const bob = await addPerson(server, { username: "bob" });
    const foreign = await addPerson(server, { username: "fred", organizationId: other });

    await t.test("are made, read, changed and deleted", async () => {
      const id = await add({ name: "Sales", description: "who sells" });
      const read = await group("GetGroup", { id });
      const { creationDate, changeDate, ...shown } = read.body.group;
      assert.deepEqual(shown, { id, name: "Sales", description: "who sells", organizationId });
      assert.ok(creationDate === changeDate);
      assert.equal(slug(await group("CreateGroup", { organizationId, name: "SALES" })), "group.name_taken");
      await add({ name: "Sales", organizationId: other });
      assert.equal(await add({ name: "Chosen", id: "chosen" }), "chosen");
      assert.equal(slug(await group("CreateGroup", { organizationId, name: "Again", id: "chosen" })), "group.id_taken");
      assert.equal(slug(await group("CreateGroup", { organizationId, name: "Bad", id: "a b" })), "group.id_invalid");
      assert.equal(slug(await group("CreateGroup", { organizationId: "404", name: "X" })), "organization.not_found");
      const renamed = await group("UpdateGroup", { id, name: "Sellers" });
      assert.deepEqual((await group("UpdateGroup", { id, name: "Sellers" })).body, renamed.body);
      assert.equal((await group("GetGroup", { id })).body.group.description, "who sells");
      assert.equal(slug(await group("UpdateGroup", { id, name: "chosen" })), "group.name_taken");
      assert.ok((await group("DeleteGroup", { id })).body.deletionDate);
      assert.deepEqual((await group("DeleteGroup", { id })).body, {});
      assert.equal(slug(await group("GetGroup", { id })), "group.not_found");
      await add({ name: "Sellers" });
    });

    await t.test("are listed with filters, in order, and only where they may be read", async () => {
      const names = async (body: object, token?: string) => {
        const found = await group("ListGroups", { pagination: { asc: true }, ...body }, token);
        const shown: string[] = (found.body.groups ?? []).map(({ name }: { name: string }) => name);
        assert.equal(Number(found.body.pagination.totalResult ?? 0), shown.length);
        return shown;
      };
      const byName = { sortingColumn: "FIELD_NAME_NAME" };
      assert.deepEqual(await names(byName), ["Chosen", "Sales", "Sellers"]);
      assert.deepEqual(await names({ filters: [{ organizationId: { id: other } }] }), ["Sales"]);
      assert.deepEqual(await names({ filters: [{ groupIds: { ids: ["chosen", "404"] } }] }), ["Chosen"]);
      const starts = { nameFilter: { name: "se", method: "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE" } };
      assert.deepEqual(await names({ filters: [starts] }), ["Sellers"]);
      assert.deepEqual(await names({ filters: [starts, { organizationId: { id: other } }] }), []);
      assert.equal(slug(await group("ListGroups", { filters: [{}] })), "filter.invalid");
      assert.equal((await group("ListGroups", { sortingColumn: 99 })).status, 200);
      await appoint(server, foreign, { organizationId: other }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, foreign);
      assert.deepEqual(await names({}, token), ["Sales"]);
      const hidden = await group("GetGroup", { id: "chosen" }, token);
      assert.deepEqual([hidden.status, hidden.body], [404, (await group("GetGroup", { id: "404" }, token)).body]);
      for (const [method, body] of [
        ["UpdateGroup", { name: "X" }],
        ["DeleteGroup", {}],
        ["AddUsersToGroup", { userIds: [foreign.userId] }],
        ["RemoveUsersFromGroup", { userIds: [foreign.userId] }],
      ] as const) {
        assert.equal((await group(method, { id: "chosen", ...body }, token)).status, 404, method);
      }
      const { token: plain } = await sessionOf(server, bob);
      assert.equal((await group("CreateGroup", { organizationId, name: "Mine" }, plain)).status, 404);
      await appoint(server, bob, { organizationId }, ["ORG_OWNER_VIEWER"]);
      assert.equal((await group("CreateGroup", { organizationId, name: "Mine" }, plain)).status, 403);
      assert.equal((await group("AddUsersToGroup", { id: "chosen", userIds: [bob.userId] }, plain)).status, 403);
    });

    await t.test("have users of their organization", async () => {
      const members = async (body: object, token?: string) => {
        const found = await group("ListGroupUsers", { pagination: { asc: true }, ...body }, token);
        return (found.body.groupUsers ?? []).map(
          ({ groupId, user: { id } }: { groupId: string; user: { id: string } }) => [groupId, id],
        );
      };
      const put = (userIds: string[]) => group("AddUsersToGroup", { id: "chosen", userIds });
      const missing = await put([amy.userId, foreign.userId]);
      assert.equal(slug(missing), "group.user_not_found");
      assert.deepEqual(await members({}), []);
      const added = await put([amy.userId, bob.userId]);
      assert.equal(added.status, 200, JSON.stringify(added.body));
      assert.deepEqual((await put([amy.userId])).body, added.body);
      const expected = [amy, bob].map(({ userId }) => ["chosen", userId]);
      assert.deepEqual((await members({ sortingColumn: "GROUP_USER_FIELD_NAME_USER_ID" })).sort(), expected.sort());
      assert.deepEqual(await members({ filters: [{ userIds: { ids: [amy.userId] } }] }), [["chosen", amy.userId]]);
      assert.deepEqual(await members({ filters: [{ groupIds: { ids: ["404"] } }] }), []);
      const { token } = await sessionOf(server, amy);
      assert.deepEqual(await members({}, token), [["chosen", amy.userId]]);
      const { body } = await group("ListGroupUsers", { filters: [{ userIds: { ids: [amy.userId] } }] });
      assert.equal(body.groupUsers[0].user.preferredLoginName, amy.loginName);
      await group("RemoveUsersFromGroup", { id: "chosen", userIds: [amy.userId, "404"] });
      assert.deepEqual(await members({}), [["chosen", bob.userId]]);
    });

    await t.test("give their roles to their members, as of the moment they join", async () => {
      const roles = ["reader", "writer"];
      for (const roleKey of roles) {
        await server.connect("service.project.v2.ProjectService/AddProjectRole", {
          projectId,
          roleKey,
          displayName: roleKey,
        });
      }
      const id = await add({ name: "Readers" });
      const assign = (body: object) =>
        server.connect(`${authorizations}/CreateAuthorization`, { projectId, organizationId, ...body });
      const given = await assign({ groupId: id, roleKeys: ["reader"] });
      assert.equal(given.status, 200, JSON.stringify(given.body));
      assert.equal(slug(await assign({ groupId: id, roleKeys: [] })), "authorization.taken");
      assert.equal(slug(await assign({ groupId: "404", roleKeys: [] })), "authorization.group_not_found");
      assert.equal(slug(await assign({ groupId: id, userId: amy.userId })), "authorization.two_assignees");
      assert.equal((await assign({})).status, 400);
      await assign({ userId: user.userId, roleKeys: ["writer"] });
      const scope = "openid urn:service:iam:org:projects:roles";
      const { access_token: token = "" } = await oidc.tokens({ scope });
      const held = async () => {
        const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token });
        const introspected = Object.keys((await oidc.introspect(token))[roleClaim] ?? {});
        assert.deepEqual(Object.keys(body[roleClaim] ?? {}), introspected);
        return introspected;
      };
      const set = (method: string) => group(method, { id, userIds: [user.userId] });
      assert.deepEqual(await held(), ["writer"]);
      await set("AddUsersToGroup");
      assert.deepEqual(await held(), ["reader", "writer"]);
      await set("RemoveUsersFromGroup");
      assert.deepEqual(await held(), ["writer"]);
      await set("AddUsersToGroup");
      await server.connect(`${authorizations}/UpdateAuthorization`, { id: given.body.id, roleKeys: roles });
      assert.deepEqual(await held(), roles);
      await server.connect(`${authorizations}/DeactivateAuthorization`, { id: given.body.id });
      assert.deepEqual(await held(), ["writer"]);
      await server.connect(`${authorizations}/ActivateAuthorization`, { id: given.body.id });
      assert.deepEqual(await held(), roles);
      const listed = await server.connect(`${authorizations}/ListAuthorizations`, {
        filters: [{ inGroupIds: { ids: [id] } }],
      });
      assert.equal(listed.body.pagination.totalResult, "1");
      const [{ group: shown, user: nobody }] = listed.body.authorizations;
      assert.deepEqual([shown, nobody], [{ id, name: "Readers", organizationId }, undefined]);
      assert.ok((await group("DeleteGroup", { id })).body.deletionDate);
      assert.deepEqual(await held(), ["writer"]);
      const left = await server.connect(`${authorizations}/ListAuthorizations`, {
        filters: [{ authorizationIds: { ids: [given.body.id] } }],
      });
      assert.equal(left.body.authorizations, undefined);
    });

    await t.test("let users in where a project requires a role", async () => {
      const demanding = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId,
        name: "Demanding",
        authorizationRequired: true,
      });
      const { projectId: demandingId } = demanding.body;
      await server.connect("service.project.v2.ProjectService/AddProjectRole", {
        projectId: demandingId,
        roleKey: "guest",
        displayName: "guest",
      });
      const client = await oidc.createClient({}, demandingId);
      const id = await add({ name: "Guests" });
      await server.connect(`${authorizations}/CreateAuthorization`, {
        groupId: id,
        organizationId,
        projectId: demandingId,
        roleKeys: ["guest"],
      });
      await assert.rejects(oidc.signIn({ client }));
      await group("AddUsersToGroup", { id, userIds: [user.userId] });
      assert.ok((await oidc.signIn({ client })).code);
    });

    await t.test("lose users and go away with what they belong to", async () => {
      await server.connect(`${users}/DeleteUser`, { userId: bob.userId });
      const found = await group("ListGroupUsers", { filters: [{ groupIds: { ids: ["chosen"] } }] });
      assert.equal(found.body.groupUsers, undefined);
      const groupOfOther = await group("ListGroups", { filters: [{ organizationId: { id: other } }] });
      const [{ id }] = groupOfOther.body.groups;
      const assigned = await server.connect(`${authorizations}/CreateAuthorization`, {
        groupId: id,
        organizationId,
        projectId,
        roleKeys: ["reader"],
      });
      await group("AddUsersToGroup", { id, userIds: [foreign.userId] });
      await server.rest("DELETE", `/v2/organizations/${other}`);
      assert.equal(slug(await group("GetGroup", { id })), "group.not_found");
      const left = await server.connect(`${authorizations}/ListAuthorizations`, {
        filters: [{ authorizationIds: { ids: [assigned.body.id] } }],
      });
      assert.equal(left.body.authorizations, undefined);
    });
  });
});
