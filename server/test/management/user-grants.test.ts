import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import {
  type Deed,
  errorId,
  expectFound,
  type Managed,
  management,
  perform,
  startManaged,
} from "../support/servers/managed.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { RestAnswer } from "../support/servers/server.ts";

const authorizations = "service.authorization.v2.AuthorizationService";

/** Makes a project of the calls' organization that is lent to a partner, and users of both. */
async function prepare({ server, home, v1, call }: Managed) {
  const { id: projectId } = await v1("AddProject", { name: "Shop" });
  const roles = ["reader", "writer"].map((key) => ({ key, displayName: `The ${key}` }));
  await v1("BulkAddProjectRoles", { projectId, roles });
  const partner = await addOrganization(server, "Partner");
  const granted = await v1("AddProjectGrant", { projectId, grantedOrgId: partner, roleKeys: ["reader"] });
  const ada = await addPerson(server, { username: "ada" });
  const paul = await addPerson(server, { username: "paul", organizationId: partner });
  await appoint(server, paul, { organizationId: partner }, ["ORG_OWNER"]);
  const robot = await call("service.user.v2.UserService/CreateUser", {
    organizationId: home,
    username: "robot",
    machine: { name: "Robot" },
  });
  return { projectId, projectGrantId: granted.grantId as string, partner, ada, paul, robotId: robot.id as string };
}

eachServer((start) => {
  test("role assignments in the first generation", async (t) => {
    const managed = await startManaged(t, start);
    const { server, home, v1, call } = managed;
    const { projectId, projectGrantId, partner, ada, paul, robotId } = await prepare(managed);
    const ofPartner = { token: (await sessionOf(server, paul)).token };
    const { userId } = ada;
    const read = async () =>
      (
        (await call(`${authorizations}/ListAuthorizations`, { filters: [{ inUserIds: { ids: [userId] } }] }))
          .authorizations ?? []
      ).map(({ organization, state, roles = [] }: RestAnswer["body"]) => ({
        organizationId: organization.id,
        state,
        roles: roles.map(({ key }: { key: string }) => key),
      }));
    const assigned = (roles: string[], state = "ACTIVE") => [{ organizationId: home, state: `STATE_${state}`, roles }];
    let grantId = "";

    await t.test("AddUserGrant", async () => {
      const made = await perform(managed, {
        method: "AddUserGrant",
        request: { userId, projectId, roleKeys: ["reader"] },
        names: ["projectId"],
        effect: read,
        expected: assigned(["reader"]),
        again: { refused: "authorization.taken" },
      });
      grantId = made.userGrantId;
      assert.equal(made.details.resourceOwner, home);
      const refused = async (given: object, options = {}) => {
        const request = { userId: robotId, projectId, roleKeys: [], ...given };
        const { status, body } = await server.connect(`${management}/AddUserGrant`, request, options);
        return [status, errorId(body)];
      };
      assert.deepEqual(await refused({ userId: "404" }), [400, "authorization.user_not_found"]);
      assert.deepEqual(await refused({ roleKeys: ["admin"] }), [400, "authorization.role_unknown"]);
      // The owner's own assignments run over no grant, and those of the partner over the grant that it got.
      const notGranted = [400, "authorization.project_not_granted"];
      assert.deepEqual(await refused({ projectGrantId }), notGranted);
      assert.deepEqual(await refused({ projectGrantId: "404" }, ofPartner), notGranted);
      assert.deepEqual(await refused({ roleKeys: ["writer"] }, ofPartner), [400, "authorization.role_unknown"]);
    });

    const deeds: readonly (Omit<Deed, "names"> & { readonly names?: undefined })[] = [
      { method: "GetUserGrantByID", request: {}, again: "same" },
      {
        method: "UpdateUserGrant",
        request: { roleKeys: ["writer", "reader"] },
        effect: read,
        expected: assigned(["reader", "writer"]),
        again: "same",
      },
      {
        method: "DeactivateUserGrant",
        request: {},
        effect: read,
        expected: assigned(["reader", "writer"], "INACTIVE"),
        again: "same",
      },
      {
        method: "ReactivateUserGrant",
        request: {},
        effect: read,
        expected: assigned(["reader", "writer"]),
        again: "same",
      },
    ];
    for (const deed of deeds) {
      const names = ["grantId", "userId"];
      await t.test(deed.method, () =>
        perform(managed, { ...deed, request: { userId, grantId, ...deed.request }, names }),
      );
    }

    await t.test("records have every field of the contract", async () => {
      const one = await server.rest("GET", `/management/v1/users/${userId}/grants/${grantId}`);
      const { details, orgDomain, preferredLoginName, ...record } = one.body.userGrant;
      assert.equal(details.resourceOwner, home);
      assert.equal(preferredLoginName, ada.loginName);
      assert.ok(ada.loginName.endsWith(`@${orgDomain}`));
      const mine = {
        id: grantId,
        roleKeys: ["reader", "writer"],
        state: "USER_GRANT_STATE_ACTIVE",
        userId,
        userName: "ada",
        firstName: "ada",
        lastName: "Example",
        email: "ada@mail.example",
        displayName: "ada Example",
        orgId: home,
        orgName: "Doorward",
        projectId,
        projectName: "Shop",
        projectGrantId: "",
        avatarUrl: "",
        userType: "TYPE_HUMAN",
        grantedOrgId: "",
        grantedOrgName: "",
        grantedOrgDomain: "",
      };
      assert.deepEqual(record, mine);
      const { body } = await server.rest("POST", `/management/v1/users/${robotId}/grants`, {
        ...ofPartner,
        body: { projectId, projectGrantId, roleKeys: ["reader"] },
      });
      const lent = await server.rest("GET", `/management/v1/users/${robotId}/grants/${body.userGrantId}`, ofPartner);
      const { details: _, orgDomain: domain, preferredLoginName: _name, ...shown } = lent.body.userGrant;
      assert.deepEqual(shown, {
        ...mine,
        id: body.userGrantId,
        roleKeys: ["reader"],
        userId: robotId,
        // The account of another organization has no name here (A32).
        userName: "",
        firstName: "",
        lastName: "",
        email: "",
        displayName: "",
        userType: "TYPE_MACHINE",
        orgId: partner,
        orgName: "Partner",
        projectGrantId,
        grantedOrgId: partner,
        grantedOrgName: "Partner",
        grantedOrgDomain: domain,
      });
    });

    await t.test("lists show the organization of the call, and match queries that must all hold", async () => {
      const { id: bank } = await v1("AddProject", { name: "Bank" });
      await v1("AddUserGrant", { userId: robotId, projectId: bank });
      const { id: groupId } = await call("service.group.v2.GroupService/CreateGroup", {
        organizationId: home,
        name: "Staff",
      });
      await call(`${authorizations}/CreateAuthorization`, { groupId, projectId, roleKeys: ["reader"] });
      const name = ({ userName, projectName, orgName }: Record<string, string>) =>
        `${userName} ${projectName} ${orgName}`;
      const [adas, robots, lent] = ["ada Shop Doorward", "robot Bank Doorward", "robot Shop Partner"] as const;
      const is = (value: object, method = "EQUALS") => ({ ...value, method: `TEXT_QUERY_METHOD_${method}` });
      const wide = { withGrantedQuery: { withGranted: true } };
      const project = { projectIdQuery: { projectId } };
      const cases: readonly [object[], string[]][] = [
        [[], [adas, robots]],
        [[project], [adas]],
        [[wide], [adas, robots, lent]],
        [
          [wide, project],
          [adas, lent],
        ],
        [[wide, { projectGrantIdQuery: { projectGrantId } }], [lent]],
        [[{ withGrantedQuery: { withGranted: false } }], [adas, robots]],
        [
          [wide, { withGrantedQuery: {} }],
          [adas, robots],
        ],
        [[{ userIdQuery: { userId } }], [adas]],
        [[{ inUserIdsQuery: { inUserIds: [userId, robotId] } }], [adas, robots]],
        [[{ roleKeyQuery: is({ roleKey: "writ" }, "STARTS_WITH") }], [adas]],
        [[{ userNameQuery: is({ userName: "ROBOT" }, "EQUALS_IGNORE_CASE") }], [robots]],
        [[{ firstNameQuery: is({ firstName: "ada" }) }], [adas]],
        [[{ lastNameQuery: is({ lastName: "ample" }, "ENDS_WITH") }], [adas]],
        [[{ emailQuery: is({ email: "@mail." }, "CONTAINS") }], [adas]],
        [[{ displayNameQuery: is({ displayName: "Robot" }) }], [robots]],
        [[{ userTypeQuery: { type: "TYPE_MACHINE" } }], [robots]],
        [[{ projectNameQuery: is({ projectName: "bank" }, "EQUALS_IGNORE_CASE") }], [robots]],
        [[wide, { orgNameQuery: is({ orgName: "Part" }, "STARTS_WITH") }], [lent]],
        [[wide, { orgDomainQuery: is({ orgDomain: "partner" }, "STARTS_WITH") }], [lent]],
        [[project, { userTypeQuery: { type: "TYPE_MACHINE" } }], []],
      ];
      await expectFound((request) => v1("ListUserGrants", request), name, cases);
      const ofOther = await server.connect(`${management}/ListUserGrants`, { queries: [wide] }, ofPartner);
      assert.deepEqual(
        ofOther.body.result.map(name),
        [lent.replace("robot", "undefined")],
        "a stranger without a name (A32)",
      );
      for (const query of [{}, { userTypeQuery: {} }]) {
        const { body } = await server.connect(`${management}/ListUserGrants`, { queries: [query] });
        assert.equal(errorId(body), "filter.invalid", JSON.stringify(query));
      }
      const { body: page } = await server.rest("POST", "/management/v1/users/grants/_search", {
        body: { query: { limit: 1, offset: 1, asc: true } },
      });
      assert.deepEqual([page.result.map(name), page.details.totalResult], [[robots], 2]);
    });

    await t.test("what other organizations assigned over a grant is theirs to read", async () => {
      const olga = await addPerson(server, { username: "olga" });
      await appoint(server, olga, { organizationId: home }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, olga);
      const wide = { queries: [{ withGrantedQuery: { withGranted: true } }] };
      const { body } = await server.connect(`${management}/ListUserGrants`, wide, { token });
      assert.deepEqual([...new Set(body.result.map(({ orgId }: { orgId: string }) => orgId))], [home]);
    });

    await t.test("BulkRemoveUserGrant removes all or none", async () => {
      const { result } = await v1("ListUserGrants", { queries: [{ userIdQuery: { userId: robotId } }] });
      const robots: string = result[0].id;
      const lent = (await server.connect(`${management}/ListUserGrants`, {}, ofPartner)).body.result[0].id;
      const before = (await recordedEvents(server)).length;
      const bulk = (ids: string[], options = {}) =>
        server.rest("DELETE", "/management/v1/user_grants/_bulk", { body: { grantId: ids }, ...options });
      const refused = [
        await bulk([robots, "404"]),
        // By the instance's owner, who could remove it, but in another organization than that of the call.
        await bulk([robots, lent]),
        await bulk([robots], { token: managed.otherOwner }),
      ];
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.details[0].id], [404, "authorization.not_found"]);
      }
      assert.equal((await bulk([robots], { ...ofPartner, headers: { "x-service-orgid": home } })).status, 403);
      assert.equal((await bulk(new Array<string>(1001).fill(robots))).status, 400);
      assert.deepEqual((await bulk([])).body, {});
      assert.equal((await recordedEvents(server)).length, before);
      assert.deepEqual(
        [(await bulk([robots, robots])).status, (await recordedEvents(server)).length],
        [200, before + 1],
      );
      assert.equal((await v1("ListUserGrants", {})).details.totalResult, "1");
      assert.equal((await bulk([lent], ofPartner)).status, 200);
    });

    await t.test("RemoveUserGrant", () =>
      perform(managed, {
        method: "RemoveUserGrant",
        request: { userId, grantId },
        names: ["grantId", "userId"],
        effect: read,
        expected: [],
        again: { refused: "authorization.not_found" },
      }),
    );
  });
});
