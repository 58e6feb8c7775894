import assert from "node:assert/strict";
import { test } from "node:test";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const person = (userName: string, hash?: string) => ({
  userName,
  profile: { firstName: "P", lastName: "P" },
  email: { email: `${userName}@mail.example`, isEmailVerified: true },
  ...(hash !== undefined && { hashedPassword: { value: hash } }),
});

/** An organization with users. */
const withUsers = (orgId: string, ...ids: readonly string[]) => ({
  orgId,
  org: { name: `Organization ${orgId}` },
  humanUsers: ids.map((userId) => ({ userId, user: person(`user-${orgId}-${userId}`) })),
});

/** A project with a role, granted to another organization. */
const withProject = (orgId: string, grantedOrgId = "") => ({
  orgId,
  org: { name: `Organization ${orgId}` },
  projects: [{ projectId: `${orgId}1`, project: { name: "Vault" } }],
  projectRoles: [{ projectId: `${orgId}1`, roleKey: "clerk", displayName: "Clerk" }],
  ...(grantedOrgId !== "" && {
    projectGrants: [{ grantId: "g", projectGrant: { projectId: `${orgId}1`, grantedOrgId, roleKeys: ["clerk"] } }],
  }),
});

/** Every kind of right that data gives to a user. */
const rightsOf = (orgId: string, userId: string) => ({
  orgId,
  userGrants: [{ userId, projectId: `${orgId}1`, roleKeys: ["clerk"] }],
  orgMembers: [{ userId, roles: ["ORG_OWNER"] }],
  projectMembers: [{ projectId: `${orgId}1`, userId, roles: ["PROJECT_OWNER"] }],
});

const memberOfGrant = (orgId: string, userId: string) => ({
  projectGrantMembers: [{ projectId: `${orgId}1`, grantId: "g", userId, roles: ["PROJECT_GRANT_OWNER"] }],
});

const refusedRights = (orgId: string, userId: string) => [
  `user_grant ${orgId}1_${userId} user.not_found`,
  `org_member ${userId} user.not_found`,
  `project_member ${orgId}1_${userId} user.not_found`,
];

async function importing(server: TestServer, ...orgs: readonly object[]): Promise<readonly string[]> {
  const { status, body } = await server.connect("service.admin.v1.AdminService/ImportData", { dataOrgs: { orgs } });
  assert.equal(status, 200, JSON.stringify(body));
  return (body.errors ?? []).map(
    ({ type, id, message }: Record<string, string>) => `${type} ${id} ${/\((\S+)\)$/.exec(message ?? "")?.[1]}`,
  );
}

/** Roles that a user has by assignments, and positions that they hold or were offered. */
async function heldBy(server: TestServer, userId: string) {
  const ok = async (method: string, filter: object): Promise<RestAnswer["body"]> => {
    const { status, body } = await server.connect(method, { filters: [filter] });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const assigned = await ok("service.authorization.v2.AuthorizationService/ListAuthorizations", {
    inUserIds: { ids: [userId] },
  });
  const appointed = await ok("service.internal_permission.v2.InternalPermissionService/ListAdministrators", {
    inUserIdsFilter: { ids: [userId] },
  });
  const positions = (appointed.administrators ?? []).map(
    ({ roles = [], pendingRoles = [] }: { readonly roles?: string[]; readonly pendingRoles?: string[] }) =>
      `${[...roles].join()}/${[...pendingRoles].join()}`,
  );
  const roles = (assigned.authorizations ?? []).map((each: { roles: { key: string }[] }) => each.roles[0]?.key);
  return { roles, positions: positions.toSorted() };
}

const nothing = { roles: [], positions: [] };
const own = { roles: ["clerk"], positions: ["ORG_OWNER/", "PROJECT_OWNER/"] };
const offered = { roles: ["clerk"], positions: ["/ORG_OWNER", "/PROJECT_OWNER"] };

eachServer((start) => {
  test("rights in data go to the user whom the organization means, not to any with the id", async (t) => {
    const server = await start(t);

    await t.test("in several requests, when another organization took the id", async () => {
      assert.deepEqual(await importing(server, withUsers("900", "901")), []);
      assert.deepEqual(await importing(server, withProject("910")), []);
      const users = withUsers("910", "901", "902");
      assert.deepEqual(await importing(server, { ...users, org: undefined }), ["human_user 901 user.id_taken"]);
      for (const userId of ["901", "902"]) {
        const refused = userId === "901" ? refusedRights("910", userId) : [];
        assert.deepEqual(await importing(server, rightsOf("910", userId)), refused);
      }
      assert.deepEqual(await heldBy(server, "901"), nothing);
      assert.deepEqual(await heldBy(server, "902"), own, "the control");
    });

    await t.test("in one request, whatever its own user was refused for", async () => {
      const wrongHash = { humanUsers: [{ userId: "921", user: person("boss", "$unknown$1$abc") }] };
      const mint = { ...withProject("930"), ...wrongHash, ...rightsOf("930", "921") };
      const refused = await importing(server, withUsers("920", "921"), mint);
      assert.match(refused[0] ?? "", /^human_user 921 /);
      assert.deepEqual(refused.slice(1), refusedRights("930", "921"));
      assert.deepEqual(await heldBy(server, "921"), nothing);
    });

    await t.test("of an organization that is not moved, or that another one contradicts", async () => {
      await importing(server, withUsers("940", "941", "942"));
      const alone = { ...withProject("950", "940"), ...rightsOf("950", "941"), ...memberOfGrant("950", "941") };
      const grant = "project_grant_member g_941 user.not_found";
      assert.deepEqual(await importing(server, alone), [...refusedRights("950", "941"), grant]);
      const both = [withUsers("940", "942"), withUsers("960", "942"), rightsOf("950", "942")];
      const refused = await importing(server, ...both);
      assert.deepEqual(refused.slice(-3), refusedRights("950", "942"));
      for (const userId of ["941", "942"]) assert.deepEqual(await heldBy(server, userId), nothing);
    });

    await t.test("users of another organization in the same request, also when it is repeated", async () => {
      const home = { ...withProject("970", "980"), ...rightsOf("970", "981"), ...memberOfGrant("970", "981") };
      const guest = withUsers("980", "981");
      assert.deepEqual(await importing(server, home, guest), []);
      const positions = [...offered.positions, "/PROJECT_GRANT_OWNER"].toSorted();
      assert.deepEqual(await heldBy(server, "981"), { ...offered, positions });
      const repeated = await importing(server, home, guest);
      for (const error of repeated) assert.match(error, /[._](?:taken|exists)$/);
    });

    await t.test("users of another organization whom the importer names as its users", async () => {
      await importing(server, withUsers("990", "991"), withProject("995"));
      const named = { orgId: "990", humanUsers: [{ userId: "991" }] };
      const elsewhere = { ...named, orgId: "980" };
      const unknown = "human_user 991 data.not_imported";
      assert.deepEqual(await importing(server, rightsOf("995", "991"), elsewhere), [
        unknown,
        ...refusedRights("995", "991"),
      ]);
      assert.deepEqual(await importing(server, rightsOf("995", "991"), named), [unknown]);
      assert.deepEqual(await heldBy(server, "991"), offered);
    });

    await t.test("its own users, also if others list their ids", async () => {
      const bank = { ...withProject("6100"), humanUsers: withUsers("6100", "6102").humanUsers };
      const evil = withUsers("6110", "6102");
      const taken = "human_user 6102 user.id_taken";
      assert.deepEqual(await importing(server, { ...bank, ...rightsOf("6100", "6102") }, evil), [taken]);
      assert.deepEqual(await heldBy(server, "6102"), own);
    });
  });
});
