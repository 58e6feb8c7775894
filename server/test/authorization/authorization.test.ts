import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeAuthorizationState,
  checkProjectAccess,
  createAuthorization,
  deleteAuthorization,
  listAuthorizations,
  listMostRoleClaims,
  listRoleClaims,
  updateAuthorization,
} from "../../src/domain/authorization/index.ts";
import {
  deleteProject,
  deleteProjectGrant,
  removeProjectRole,
  updateProjectGrant,
} from "../../src/domain/deletion/index.ts";
import { refuseEndOfHome } from "../../src/domain/membership/index.ts";
import { activateOrganization, deactivateOrganization } from "../../src/domain/organization/index.ts";
import {
  addProjectRole,
  changeProjectGrantState,
  changeProjectState,
  createProjectGrant,
  listProjectGrants,
} from "../../src/domain/project/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";
import { refused } from "../support/operations/refused.ts";

type Test = Parameters<OpenDatabase>[0];

/** A project of Acme with roles, lent to Partner with some of them, and a user of Acme. */
async function lentProject(t: Test, open: OpenDatabase, roleKeys: readonly string[], lentKeys = roleKeys) {
  const fixtures = await makeFixtures(t, open);
  const acme = await fixtures.organization("Acme");
  const partner = await fixtures.organization("Partner");
  const { projectId } = await fixtures.project(acme);
  for (const roleKey of roleKeys) {
    await addProjectRole(fixtures, fixtures.owner, { projectId, roleKey, displayName: `Role ${roleKey}` });
  }
  const grant = await createProjectGrant(fixtures, fixtures.owner, {
    projectId,
    grantedOrganizationId: partner.organizationId,
    roleKeys: lentKeys,
  });
  const { userId } = await fixtures.user(acme, "ada");
  return { fixtures, acme, partner, projectId, grant, userId };
}

const rolesOf = async (fixtures: Fixtures, userId: string, projectId: string): Promise<Record<string, string[]>> => {
  const claims = await listRoleClaims(fixtures.database.read, "instance-1", { userId, projectIds: [projectId] });
  const roles = Object.entries(claims.get(projectId) ?? {});
  return Object.fromEntries(roles.map(([roleKey, granted]) => [roleKey, Object.keys(granted).sort()]));
};

const everything = {
  filters: [],
  orderBy: "created_at",
  isDescending: false,
  page: { offset: 0, limit: 1000 },
} as const;

eachEngine((open) => {
  test("roles are assigned once per user, project and organization", async (t) => {
    const { fixtures, acme, partner, projectId, userId } = await lentProject(t, open, ["reader", "writer"]);
    const assign = (organizationId: string | undefined, roleKeys: readonly string[]) =>
      createAuthorization(fixtures, fixtures.owner, {
        userId,
        projectId,
        roleKeys,
        ...(organizationId !== undefined && { organizationId }),
      });
    const owned = await assign(undefined, ["writer", "reader", "reader"]);
    assert.deepEqual(owned.roleKeys, ["reader", "writer"]);
    assert.equal(owned.organizationId, acme.organizationId);
    assert.equal(owned.projectGrantId, undefined);
    assert.equal(owned.state, "active");
    await refused(assign(acme.organizationId, ["reader"]), "authorization.taken");
    const lent = await assign(partner.organizationId, ["reader"]);
    assert.notEqual(lent.projectGrantId, undefined);
    assert.deepEqual(await rolesOf(fixtures, userId, projectId), {
      reader: [acme.organizationId, partner.organizationId].sort(),
      writer: [acme.organizationId],
    });
  });

  test("only roles that exist there can be assigned, to users that exist, where the project is", async (t) => {
    const { fixtures, partner, projectId, userId } = await lentProject(t, open, ["reader", "writer"], ["reader"]);
    const other = await fixtures.organization("Other");
    const assign = (
      given: { userId?: string; organizationId?: string; projectId?: string },
      roleKeys: readonly string[],
    ) => createAuthorization(fixtures, fixtures.owner, { userId, projectId, ...given, roleKeys });
    await refused(assign({}, ["reader", "admin"]), "authorization.role_unknown", "roleKeys[1]");
    await refused(assign({ organizationId: partner.organizationId }, ["writer"]), "authorization.role_unknown");
    await refused(assign({ organizationId: other.organizationId }, ["reader"]), "authorization.project_not_granted");
    await refused(assign({ userId: "nobody" }, ["reader"]), "authorization.user_not_found", "userId");
    await refused(assign({ projectId: "nothing" }, ["reader"]), "project.not_found");
    const { authorizationId } = await assign({ organizationId: partner.organizationId }, []);
    const update = (roleKeys: readonly string[]) =>
      updateAuthorization(fixtures, fixtures.owner, { authorizationId, roleKeys });
    await refused(update(["reader", "writer"]), "authorization.role_unknown", "roleKeys[1]");
    const changed = await update(["reader"]);
    assert.deepEqual(await update(["reader"]), changed);
    assert.equal((await update([])).sequence, changed.sequence + 1);
  });

  test("changing the state and deleting are idempotent; what is unknown is not found", async (t) => {
    const { fixtures, projectId, userId } = await lentProject(t, open, ["reader"]);
    const { authorizationId, details } = await createAuthorization(fixtures, fixtures.owner, {
      userId,
      projectId,
      roleKeys: ["reader"],
    });
    const to = (state: "active" | "inactive", id = authorizationId) =>
      changeAuthorizationState(fixtures, fixtures.owner, { authorizationId: id, state });
    assert.deepEqual(await to("active"), details);
    const inactive = await to("inactive");
    assert.deepEqual(await to("inactive"), inactive);
    assert.equal(inactive.sequence, details.sequence + 1);
    await refused(to("active", "unknown"), "authorization.not_found");
    assert.notDeepEqual(await deleteAuthorization(fixtures, fixtures.owner, { authorizationId }), {});
    assert.deepEqual(await deleteAuthorization(fixtures, fixtures.owner, { authorizationId }), {});
    await refused(to("active"), "authorization.not_found");
  });

  test("what is inactive gives no roles and no access (CVE-2024-46999, CVE-2024-47060)", async (t) => {
    const { fixtures, acme, partner, projectId, userId, grant } = await lentProject(t, open, ["reader"]);
    const { owner } = fixtures;
    const { authorizationId } = await createAuthorization(fixtures, owner, {
      userId,
      projectId,
      organizationId: partner.organizationId,
      roleKeys: ["reader"],
    });
    const demands = { projectId, organizationId: acme.organizationId, isProjectAccessRequired: true };
    const access = () =>
      checkProjectAccess(fixtures.database.read, "instance-1", {
        userId,
        userOrganizationId: acme.organizationId,
        project: { ...demands, isAuthorizationRequired: true },
      });
    const { grantedOrganizationId } = grant;
    const switches: Record<string, (state: "active" | "inactive") => Promise<unknown>> = {
      assignment: (state) => changeAuthorizationState(fixtures, owner, { authorizationId, state }),
      grant: (state) => changeProjectGrantState(fixtures, owner, { projectId, grantedOrganizationId, state }),
      project: (state) => changeProjectState(fixtures, owner, { projectId, state }),
      "assigning organization": (state) =>
        (state === "active" ? activateOrganization : deactivateOrganization)(
          { ...fixtures, refuseEndOfHome },
          owner,
          partner.organizationId,
        ),
      "owning organization": (state) =>
        (state === "active" ? activateOrganization : deactivateOrganization)(
          { ...fixtures, refuseEndOfHome },
          owner,
          acme.organizationId,
        ),
    };
    for (const [name, turn] of Object.entries(switches)) {
      assert.deepEqual(await rolesOf(fixtures, userId, projectId), { reader: [partner.organizationId] }, name);
      assert.equal(await access(), "allowed", name);
      await turn("inactive");
      assert.deepEqual(await rolesOf(fixtures, userId, projectId), {}, name);
      if (!["project", "owning organization"].includes(name)) assert.equal(await access(), "user_without_role", name);
      await turn("active");
    }
  });

  test("a project can demand a role, or that the user's organization has it", async (t) => {
    const { fixtures, acme, partner, projectId, userId, grant } = await lentProject(t, open, ["reader"]);
    const other = await fixtures.organization("Other");
    const access = (organization: { organizationId: string }, demands: { role?: boolean; project?: boolean }) =>
      checkProjectAccess(fixtures.database.read, "instance-1", {
        userId,
        userOrganizationId: organization.organizationId,
        project: {
          projectId,
          organizationId: acme.organizationId,
          isAuthorizationRequired: demands.role ?? false,
          isProjectAccessRequired: demands.project ?? false,
        },
      });
    assert.equal(await access(other, {}), "allowed");
    assert.equal(await access(acme, { role: true }), "user_without_role");
    assert.equal(await access(acme, { project: true }), "allowed");
    assert.equal(await access(partner, { project: true }), "allowed");
    assert.equal(await access(other, { project: true }), "organization_without_project");
    await createAuthorization(fixtures, fixtures.owner, { userId, projectId, roleKeys: [] });
    assert.equal(await access(acme, { role: true, project: true }), "user_without_role");
    await createAuthorization(fixtures, fixtures.owner, {
      userId,
      projectId,
      organizationId: partner.organizationId,
      roleKeys: ["reader"],
    });
    assert.equal(await access(acme, { role: true, project: true }), "allowed");
    const { grantedOrganizationId } = grant;
    await changeProjectGrantState(fixtures, fixtures.owner, { projectId, grantedOrganizationId, state: "inactive" });
    assert.equal(await access(partner, { project: true }), "organization_without_project");
  });

  test("roles that strangers assigned give way to those of the project's owner and the user's home", async (t) => {
    const { fixtures, acme, partner, projectId, userId } = await lentProject(t, open, ["admin", "reader", "__proto__"]);
    const assign = (of: { readonly organizationId: string }, user: string, roleKeys: readonly string[]) =>
      createAuthorization(fixtures, fixtures.owner, {
        userId: user,
        projectId,
        organizationId: of.organizationId,
        roleKeys,
      });
    await assign(acme, userId, ["reader", "__proto__"]);
    await assign(partner, userId, ["admin", "reader", "__proto__"]);
    const most = async (user: string, limit: number, organizationIds?: readonly string[], mostBytes = 20_000) => {
      const query = { userId: user, projectIds: [projectId], ownProjectId: projectId, limit, mostBytes };
      const claims = await listMostRoleClaims(fixtures.database.read, "instance-1", {
        ...query,
        ...(organizationIds && { organizationIds }),
      });
      const roles = claims && Object.entries(claims.get(projectId) ?? {});
      const name = (id: string) => (id === acme.organizationId ? "acme" : "partner");
      return roles?.flatMap(([role, by]) => Object.keys(by).map((id) => `${name(id)} ${role}`)).sort();
    };
    const own = ["acme __proto__", "acme reader"];
    assert.deepEqual(await most(userId, 2), own, "all of the stranger's give way");
    assert.equal((await most(userId, 3))?.filter((role) => own.includes(role)).length, 2, "as many as it takes");
    assert.equal((await most(userId, 3))?.length, 3);
    assert.equal((await most(userId, 5))?.length, 5, "none where there is room");
    assert.equal(await most(userId, 1), undefined, "too many of the owner's");
    assert.deepEqual(await most(userId, 5, undefined, 1), own, "too long, but for the owner's");
    assert.equal((await most(userId, 2, [partner.organizationId]))?.length, 2, "an organization that was named");
    const { userId: guest } = await fixtures.user(partner, "guest");
    await assign(partner, guest, ["admin", "reader"]);
    assert.equal(await most(guest, 1), undefined, "too many of the user's home");
  });

  test("claims are of the wanted projects, roles and organizations only, and of one instance", async (t) => {
    const { fixtures, acme, partner, projectId, userId } = await lentProject(t, open, [
      "reader",
      "__proto__",
      "constructor",
    ]);
    const second = await fixtures.project(acme);
    await addProjectRole(fixtures, fixtures.owner, {
      projectId: second.projectId,
      roleKey: "reader",
      displayName: "R",
    });
    const assign = (projectId: string, organizationId: string, roleKeys: readonly string[]) =>
      createAuthorization(fixtures, fixtures.owner, { userId, projectId, organizationId, roleKeys });
    await assign(projectId, acme.organizationId, ["reader", "__proto__", "constructor"]);
    await assign(projectId, partner.organizationId, ["reader"]);
    await assign(second.projectId, acme.organizationId, ["reader"]);
    const claims = async (
      query: { projectIds: string[]; roleKeys?: string[]; organizationIds?: string[] },
      instanceId = "instance-1",
    ) => JSON.stringify([...(await listRoleClaims(fixtures.database.read, instanceId, { userId, ...query }))]);
    const [ours, theirs] = [acme, partner].map(({ organizationId, primaryDomain }) => ({
      [organizationId]: primaryDomain,
    }));
    const both = { ...ours, ...theirs };
    assert.equal(
      await claims({ projectIds: [projectId] }),
      JSON.stringify([[projectId, { ["__proto__"]: ours, constructor: ours, reader: both }]]),
    );
    assert.equal(
      await claims({ projectIds: [projectId], roleKeys: ["reader"] }),
      JSON.stringify([[projectId, { reader: both }]]),
    );
    assert.equal(
      await claims({
        projectIds: [projectId, second.projectId],
        roleKeys: ["reader"],
        organizationIds: [acme.organizationId],
      }),
      JSON.stringify([projectId, second.projectId].sort().map((id) => [id, { reader: ours }])),
    );
    assert.equal(await claims({ projectIds: [] }), "[]");
    assert.equal(await claims({ projectIds: ["unknown"] }), "[]");
    assert.equal(await claims({ projectIds: [projectId] }, "instance-2"), "[]");
  });

  test("whatever roles a grant loses at once, assignments over it lose too (GHSA-v859-c572-qh5p)", async (t) => {
    const keys = ["a", "b", "c", "d", "e", "f"];
    const { fixtures, acme, partner, projectId, grant } = await lentProject(t, open, keys);
    const { grantedOrganizationId } = grant;
    const users = await Promise.all([0, 1, 2].map(() => fixtures.user(partner)));
    const assignments = [];
    for (const { userId } of users) {
      const on = (organizationId: string) =>
        createAuthorization(fixtures, fixtures.owner, { userId, projectId, organizationId, roleKeys: [] });
      assignments.push({ userId, lent: await on(partner.organizationId), owned: await on(acme.organizationId) });
    }
    for (let round = 0; round < 25; round++) {
      const [kept, ...had] = [0, 1, 2, 3].map((salt) =>
        keys.filter((_, bit) => ((round * 37 + salt * 11) >> bit) % 2 === 0),
      );
      const setGrant = (roleKeys: readonly string[]) =>
        updateProjectGrant(fixtures, fixtures.owner, { projectId, grantedOrganizationId, roleKeys });
      await setGrant(keys);
      for (const [index, { lent, owned }] of assignments.entries()) {
        const roleKeys = had[index] ?? [];
        await updateAuthorization(fixtures, fixtures.owner, { authorizationId: lent.authorizationId, roleKeys });
        await updateAuthorization(fixtures, fixtures.owner, { authorizationId: owned.authorizationId, roleKeys: keys });
      }
      await setGrant(kept ?? []);
      for (const [index, { userId }] of assignments.entries()) {
        const roles = await rolesOf(fixtures, userId, projectId);
        const ofGrant = keys.filter((key) => roles[key]?.includes(grantedOrganizationId));
        assert.deepEqual(
          ofGrant,
          kept?.filter((key) => had[index]?.includes(key)),
          `round ${round}`,
        );
        assert.deepEqual(Object.keys(roles), keys, "assignments of the owner keep their roles");
      }
    }
  });

  test("a role that is removed is gone from grants and assignments, with an event for each", async (t) => {
    const { fixtures, partner, projectId, userId } = await lentProject(t, open, ["reader", "writer"]);
    const assign = (organizationId?: string) =>
      createAuthorization(fixtures, fixtures.owner, {
        userId,
        projectId,
        roleKeys: ["reader", "writer"],
        ...(organizationId !== undefined && { organizationId }),
      });
    await assign();
    await assign(partner.organizationId);
    const events: string[] = [];
    t.after(fixtures.database.onCommitted({ committed: ({ type }) => events.push(type), missed: () => {} }));
    assert.notDeepEqual(await removeProjectRole(fixtures, fixtures.owner, { projectId, roleKey: "reader" }), {});
    assert.deepEqual(events.sort(), [
      "authorization.updated",
      "authorization.updated",
      "project.role.removed",
      "project_grant.updated",
    ]);
    assert.deepEqual(Object.keys(await rolesOf(fixtures, userId, projectId)), ["writer"]);
    const { rows } = await listProjectGrants(fixtures, fixtures.owner, everything);
    assert.deepEqual(
      rows.map(({ roleKeys }) => roleKeys),
      [["writer"]],
    );
    assert.deepEqual(await removeProjectRole(fixtures, fixtures.owner, { projectId, roleKey: "reader" }), {});
    // A role that is added again is assigned to no user.
    await addProjectRole(fixtures, fixtures.owner, { projectId, roleKey: "reader", displayName: "Reader" });
    assert.deepEqual(Object.keys(await rolesOf(fixtures, userId, projectId)), ["writer"]);
  });

  test("a grant that is deleted takes its assignments along; a project takes everything", async (t) => {
    const { fixtures, partner, projectId, userId, grant } = await lentProject(t, open, ["reader"]);
    const assign = (organizationId?: string) =>
      createAuthorization(fixtures, fixtures.owner, {
        userId,
        projectId,
        roleKeys: ["reader"],
        ...(organizationId !== undefined && { organizationId }),
      });
    const owned = await assign();
    await assign(partner.organizationId);
    const { grantedOrganizationId } = grant;
    const withdraw = () => deleteProjectGrant(fixtures, fixtures.owner, { projectId, grantedOrganizationId });
    assert.notDeepEqual(await withdraw(), {});
    assert.deepEqual(await withdraw(), {});
    const left = await listAuthorizations(fixtures, fixtures.owner, everything);
    assert.deepEqual(
      left.rows.map(({ authorizationId }) => authorizationId),
      [owned.authorizationId],
    );
    assert.equal(left.total, 1);
    await refused(assign(partner.organizationId), "authorization.project_not_granted");
    await deleteProject(fixtures, fixtures.owner, { projectId });
    assert.equal((await listAuthorizations(fixtures, fixtures.owner, everything)).total, 0);
    assert.deepEqual(await rolesOf(fixtures, userId, projectId), {});
  });
});
