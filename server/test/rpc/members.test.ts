import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const projects = "service.project.v2.ProjectService";
const management = "service.management.v1.ManagementService";

/** A project of one organization that is lent to another one, with administrators on both levels. */
async function lentProject(server: TestServer) {
  const owning = await defaultOrganization(server);
  const partner = await addOrganization(server, "Partner");
  const made = await server.connect(`${projects}/CreateProject`, { organizationId: owning, name: "Shop" });
  const { projectId } = made.body;
  await server.connect(`${projects}/CreateProjectGrant`, { projectId, grantedOrganizationId: partner, roleKeys: [] });
  const people: Record<string, Awaited<ReturnType<typeof addPerson>>> = {};
  for (const [username, organizationId] of [
    ["anna", owning],
    ["bert", owning],
    ["carl", partner],
  ] as const) {
    people[username] = await addPerson(server, { username, organizationId });
  }
  const { anna, bert, carl } = people as Record<"anna" | "bert" | "carl", Awaited<ReturnType<typeof addPerson>>>;
  const onGrant = { projectGrant: { projectId, organizationId: partner } };
  await appoint(server, anna, { projectId }, ["PROJECT_OWNER"]);
  await appoint(server, bert, onGrant, ["PROJECT_GRANT_OWNER_VIEWER"]);
  await appoint(server, carl, onGrant, ["PROJECT_GRANT_OWNER"]);
  const listed = await server.connect("service.internal_permission.v2.InternalPermissionService/ListAdministrators", {
    filters: [{ resource: onGrant }],
  });
  const grantId: string = listed.body.administrators[0].projectGrant.id;
  return { owning, partner, projectId, grantId, anna, bert, carl };
}

eachServer((start) => {
  test("members of projects and grants in the first generation", async (t) => {
    const server = await start(t);
    const { owning, partner, projectId, grantId, anna, bert, carl } = await lentProject(server);
    const path = `/projects/${projectId}/grants/${grantId}/members`;
    const search = (body: object, token?: string) =>
      server.rest("POST", `${path}/_search`, { body, ...(token !== undefined && { token }) });

    await t.test("are listed with every field, at both paths and over Connect", async () => {
      const { status, body } = await search({
        query: { asc: true },
        queries: [{ userIdQuery: { userId: carl.userId } }],
      });
      assert.equal(status, 200, JSON.stringify(body));
      const [{ details, ...member }] = body.result;
      assert.deepEqual(member, {
        userId: carl.userId,
        roles: ["PROJECT_GRANT_OWNER"],
        state: "ADMINISTRATOR_STATE_ACTIVE",
        pendingRoles: [],
        preferredLoginName: carl.loginName,
        email: "carl@mail.example",
        firstName: "carl",
        lastName: "Example",
        displayName: "carl Example",
        avatarUrl: "",
        userType: "TYPE_HUMAN",
        userResourceOwner: partner,
      });
      assert.deepEqual(Object.keys(details).sort(), ["changeDate", "creationDate", "resourceOwner", "sequence"]);
      assert.equal(details.resourceOwner, owning);
      assert.deepEqual(Object.keys(body.details).sort(), ["processedSequence", "totalResult", "viewTimestamp"]);
      const based = await server.rest("POST", `/management/v1${path}/_search`, { body: {} });
      const bare = await search({});
      assert.deepEqual(based.body.result, bare.body.result);
      assert.equal(bare.body.details.totalResult, 2);
      const request = { projectId, grantId };
      const connect = await server.connect(`${management}/ListProjectGrantMembers`, request);
      assert.equal(connect.body.result.length, 2);
    });

    await t.test("match queries that must all hold", async () => {
      const cases: readonly [object[], string[]][] = [
        [[{ firstNameQuery: { firstName: "bert" } }], ["bert"]],
        [[{ firstNameQuery: { firstName: "BERT" } }], []],
        [[{ firstNameQuery: { firstName: "BE", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }], ["bert"]],
        [[{ lastNameQuery: { lastName: "Example" } }], ["bert", "carl"]],
        [[{ emailQuery: { email: "mail", method: "TEXT_QUERY_METHOD_CONTAINS" } }], ["bert", "carl"]],
        [[{ lastNameQuery: { lastName: "Example" } }, { userIdQuery: { userId: bert.userId } }], ["bert"]],
        [[{ firstNameQuery: { firstName: "bert" } }, { userIdQuery: { userId: carl.userId } }], []],
        [[{ userIdQuery: { userId: anna.userId } }], []],
      ];
      for (const [queries, names] of cases) {
        const { body } = await search({ query: { asc: true }, queries });
        assert.deepEqual(
          body.result.map(({ firstName }: { firstName: string }) => firstName).sort(),
          names,
          JSON.stringify(queries),
        );
        assert.equal(body.details.totalResult, names.length);
      }
      assert.equal((await search({ queries: [{}] })).body.details[0].id, "filter.invalid");
      const page = await search({ query: { limit: 1, offset: 1, asc: true } });
      assert.deepEqual([page.body.result.length, page.body.details.totalResult], [1, 2]);
      assert.equal((await search({ query: { limit: 1001 } })).status, 400);
    });

    await t.test("are read where the caller may, and are not there for others", async () => {
      const stranger = await addPerson(server, {
        username: "otto",
        organizationId: await addOrganization(server, "Other"),
      });
      await appoint(server, stranger, { organizationId: stranger.organizationId }, ["ORG_OWNER"]);
      const tokens = {
        anna: (await sessionOf(server, anna)).token,
        bert: (await sessionOf(server, bert)).token,
        carl: (await sessionOf(server, carl)).token,
        stranger: (await sessionOf(server, stranger)).token,
      };
      for (const who of ["anna", "bert", "carl"] as const)
        assert.equal((await search({}, tokens[who])).status, 200, who);
      const hidden = await search({}, tokens.stranger);
      const absent = await server.rest("POST", `/projects/${projectId}/grants/404/members/_search`, {
        body: {},
        token: tokens.stranger,
      });
      assert.equal(hidden.status, 404);
      assert.deepEqual(hidden.body, absent.body);
      assert.equal((await server.rest("POST", `${path}/_search`, { body: {}, token: null })).status, 401);
      const nobody = await addPerson(server, { username: "nobody" });
      assert.equal((await search({}, (await sessionOf(server, nobody)).token)).status, 403);
      const members = `/management/v1/projects/${projectId}/members`;
      const ofProject = (token: string) => server.rest("POST", `${members}/_search`, { body: {}, token });
      const list = await ofProject(tokens.anna);
      assert.deepEqual(
        list.body.result.map(({ userId, roles }: { userId: string; roles: string[] }) => [userId, roles]),
        [[anna.userId, ["PROJECT_OWNER"]]],
      );
      // A viewer of a grant may not read the project's administrators, and the named project is not theirs.
      assert.equal((await ofProject(tokens.bert)).status, 403);
      assert.equal((await ofProject(tokens.stranger)).status, 404);
    });

    await t.test("are added, changed and removed", async () => {
      const dora = await addPerson(server, { username: "dora" });
      const levels: readonly [string, string, string, object][] = [
        ["/management/v1/orgs/me/members", "ORG_OWNER_VIEWER", "ORG_OWNER", {}],
        [`/management/v1/projects/${projectId}/members`, "PROJECT_OWNER_VIEWER", "PROJECT_OWNER", {}],
        [`/management/v1${path}`, "PROJECT_GRANT_OWNER_VIEWER", "PROJECT_GRANT_OWNER", {}],
        ["/admin/v1/members", "IAM_OWNER_VIEWER", "IAM_ORG_MANAGER", {}],
      ];
      for (const [members, first, second] of levels) {
        const body = { userId: dora.userId, roles: [first] };
        const added = await server.rest("POST", members, { body });
        assert.equal(added.status, 200, JSON.stringify(added.body));
        assert.equal((await server.rest("POST", members, { body })).status, 409);
        const wrong = await server.rest("PUT", `${members}/${dora.userId}`, { body: { roles: ["NOBODY"] } });
        assert.equal(wrong.body.details[0].id, "membership.role_invalid");
        const changed = await server.rest("PUT", `${members}/${dora.userId}`, { body: { roles: [second] } });
        assert.equal(changed.body.details.sequence, added.body.details.sequence + 1);
        const search = { body: { queries: [{ userIdQuery: { userId: dora.userId } }] } };
        const found = await server.rest("POST", `${members}/_search`, search);
        assert.deepEqual(found.body.result[0].roles, [second]);
        const removed = await server.rest("DELETE", `${members}/${dora.userId}`);
        assert.equal(removed.body.details.sequence, changed.body.details.sequence + 1);
        assert.equal((await server.rest("DELETE", `${members}/${dora.userId}`)).status, 200);
        assert.deepEqual((await server.rest("POST", `${members}/_search`, search)).body.result, []);
      }
    });

    await t.test("have roles that can be given at their level", async () => {
      const prefixes: readonly [string, RegExp][] = [
        ["/management/v1/orgs/members/roles/_search", /^(ORG_|SELF_MANAGEMENT_GLOBAL)/],
        ["/management/v1/projects/members/roles/_search", /^PROJECT_/],
        ["/management/v1/projects/grants/members/roles/_search", /^PROJECT_GRANT_/],
        ["/admin/v1/members/roles/_search", /^IAM_/],
      ];
      for (const [roles, prefix] of prefixes) {
        const { body } = await server.rest("POST", roles, { body: {} });
        const names: string[] = body.result ?? body.roles;
        assert.ok(names.length > 0 && names.every((name) => prefix.test(name)), `${roles}: ${names.join(" ")}`);
      }
    });
  });
});
