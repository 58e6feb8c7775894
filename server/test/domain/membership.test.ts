import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import type { Database } from "../../src/database/index.ts";
import {
  type AdministeredResource,
  isAssignable,
  loadAccess,
  permissionsOf,
  roleNames,
} from "../../src/domain/administrator-access/index.ts";
import { listAdministrators } from "../../src/domain/administrator-search/index.ts";
import {
  createAdministrator,
  deleteAdministrator,
  refuseLossOfOwner,
  updateAdministrator,
} from "../../src/domain/membership/index.ts";
import { createProject, createProjectGrant } from "../../src/domain/project/index.ts";
import { endAccessOfUser } from "../../src/domain/sign-out/index.ts";
import { changeUserState } from "../../src/domain/user/index.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { type Directory, directoryDeps, makeDirectory } from "../support/operations/directory.ts";
import { code, outcome } from "../support/operations/outcome.ts";

const instance = { level: "instance" } as const;

async function begin(database: Database) {
  const directory = await makeDirectory(database);
  const a = await directory.addOrganization("A");
  const organization: AdministeredResource = { level: "organization", organizationId: a };
  return { directory, deps: directory.deps, a, organization, owner: await directory.as(directory.ownerId) };
}

async function makeProject(directory: Directory, organizationId: string) {
  return directory.deps.database.change(directory.nobody, (tx) =>
    createProject(tx, directory.deps, { organizationId, name: "Project" }),
  );
}

const rolesOf = async (directory: Directory, call: Call, userId: string) => {
  const search = {
    filters: [{ by: "user_ids", userIds: [userId] }],
    orderBy: "created_at",
    isDescending: false,
    page: { offset: 0, limit: 10 },
  } as const;
  const { administrators } = await listAdministrators(directory.deps, call, search);
  return administrators.map(({ resource, roles }) => `${resource.level}: ${roles.join(" ")}`);
};

test("a role belongs to one level, by the beginning of its name", () => {
  const levels = ["instance", "organization", "project", "project_grant"] as const;
  const at = (role: string) => levels.filter((level) => isAssignable(role, level)).join(" ");
  assert.equal(at("IAM_OWNER"), "instance");
  assert.equal(at("ORG_USER_MANAGER"), "organization");
  assert.equal(at("SELF_MANAGEMENT_GLOBAL"), "organization");
  assert.equal(at("PROJECT_OWNER"), "project");
  assert.equal(at("PROJECT_GRANT_OWNER"), "project project_grant");
  for (const role of ["SYSTEM_OWNER", "IAM_NOBODY", "ORG_", "owner", "", "__proto__", "constructor"])
    assert.equal(at(role), "", role);
  assert.equal(roleNames.length, 27);
  assert.ok(roleNames.every((role) => permissionsOf(role).length > 0));
});

eachEngine((open, engine) => {
  test("a position gives its permissions with the next request, and takes them with the next", async (t) => {
    const { directory, deps, a, organization, owner } = await begin(await open(t));
    const userId = await directory.addUser(a, "jane");
    const may = async (permission: string) =>
      (await loadAccess(deps.database.read, directory.instanceId, userId)).allows(permission, { organizationId: a });
    assert.equal(await may("org.write"), false);
    await createAdministrator(deps, owner, { userId, resource: organization, roles: ["ORG_OWNER"] });
    assert.equal(await may("org.write"), true);
    await updateAdministrator(deps, owner, { userId, resource: organization, roles: ["ORG_OWNER_VIEWER"] });
    assert.deepEqual([await may("org.write"), await may("org.read")], [false, true]);
    await deleteAdministrator(deps, owner, { userId, resource: organization });
    assert.equal(await may("org.read"), false);
  });

  test("adding an administrator twice is refused; changing nothing and removing an absent one succeed", async (t) => {
    const { directory, deps, a, organization, owner } = await begin(await open(t));
    const userId = await directory.addUser(a, "jane");
    const input = { userId, resource: organization, roles: ["ORG_OWNER", "ORG_USER_MANAGER"] };
    const made = await createAdministrator(deps, owner, input);
    assert.equal(await outcome(() => createAdministrator(deps, owner, input)), "already_exists membership.exists");
    const same = { ...input, roles: ["ORG_USER_MANAGER", "ORG_OWNER"] };
    assert.deepEqual((await updateAdministrator(deps, owner, same)).details, made.details);
    assert.equal((await deleteAdministrator(deps, owner, input)).deletedAt, owner.now);
    assert.deepEqual(await deleteAdministrator(deps, owner, input), {});
    assert.equal(await outcome(() => updateAdministrator(deps, owner, input)), "not_found membership.not_found");
    const again = await createAdministrator(deps, owner, input);
    assert.ok(again.details.sequence > made.details.sequence, "the history goes on");
  });

  test("roles of another level, unknown ones, and none are refused", async (t) => {
    const { directory, deps, a, organization, owner } = await begin(await open(t));
    const userId = await directory.addUser(a, "jane");
    const make = (roles: string[], resource: AdministeredResource = organization) =>
      outcome(() => createAdministrator(deps, owner, { userId, resource, roles }));
    assert.equal(await make([]), "invalid_argument membership.roles_missing");
    assert.equal(await make(["ORG_OWNER", "IAM_OWNER"]), "invalid_argument membership.role_invalid");
    assert.equal(await make(["ORG_OWNER"], instance), "invalid_argument membership.role_invalid");
    assert.equal(await make(["SYSTEM_OWNER"], instance), "invalid_argument membership.role_invalid");
    const nobody = { userId: "404", resource: organization, roles: ["ORG_OWNER"] };
    assert.equal(await outcome(() => createAdministrator(deps, owner, nobody)), "not_found user.not_found");
    const nowhere: AdministeredResource = { level: "project", projectId: "404" };
    assert.equal(await make(["PROJECT_OWNER"], nowhere), "not_found project.not_found");
  });

  test("callers give and take only roles that carry no more than their own, except owners of the resource", async (t) => {
    const { directory, deps, a, organization, owner } = await begin(await open(t));
    const project = await makeProject(directory, a);
    const target = await directory.addUser(a, "target");
    const give = async (call: Call, role: string, resource: AdministeredResource) => {
      const answer = await code(() => createAdministrator(deps, call, { userId: target, resource, roles: [role] }));
      if (answer === "ok") await deleteAdministrator(deps, owner, { userId: target, resource });
      return answer;
    };
    const ofProject: AdministeredResource = { level: "project", projectId: project.projectId };
    const orgOwner = await directory.member(a, "ORG_OWNER");
    // Special roles carry permissions that no owner role has; owners give them nevertheless.
    for (const role of ["IAM_LOGIN_CLIENT", "IAM_ADMIN_IMPERSONATOR", "IAM_OWNER"]) {
      assert.equal(await give(owner, role, instance), "ok", role);
      assert.equal(await give(orgOwner, role, instance), "permission_denied", role);
    }
    for (const role of roleNames.filter((name) => isAssignable(name, "organization"))) {
      assert.equal(await give(orgOwner, role, organization), "ok", role);
    }
    assert.equal(await give(orgOwner, "PROJECT_OWNER", ofProject), "ok");

    // The login's account may write members, but gives nothing of what it is trusted with, not even to another login.
    const loginClient = await directory.member(directory.organizationId, "IAM_LOGIN_CLIENT");
    assert.equal(await give(loginClient, "IAM_OWNER", instance), "permission_denied");
    assert.equal(await give(loginClient, "ORG_OWNER", organization), "permission_denied");
    assert.equal(await give(loginClient, "IAM_LOGIN_CLIENT", instance), "permission_denied");

    // A user who may delete members may not remove those with more roles than their own.
    const userManager = await directory.member(directory.organizationId, "IAM_USER_MANAGER");
    await createAdministrator(deps, owner, { userId: target, resource: organization, roles: ["ORG_OWNER"] });
    const remove = () =>
      outcome(() => deleteAdministrator(deps, userManager, { userId: target, resource: organization }));
    assert.equal(await remove(), "permission_denied membership.role_beyond_own");
    assert.deepEqual(await rolesOf(directory, owner, target), ["organization: ORG_OWNER"]);
  });

  test("a project grant is administrated by both organizations, a project by its own", async (t) => {
    const { directory, deps, a, owner } = await begin(await open(t));
    const b = await directory.addOrganization("B");
    const c = await directory.addOrganization("C");
    const { projectId } = await makeProject(directory, a);
    await createProjectGrant(deps, owner, { projectId, grantedOrganizationId: b, roleKeys: [] });
    const target = await directory.addUser(b, "target");
    const ofGrant: AdministeredResource = { level: "project_grant", projectId, grantedOrganizationId: b };
    const ofProject: AdministeredResource = { level: "project", projectId };
    const owners = {
      a: await directory.member(a, "ORG_OWNER"),
      b: await directory.member(b, "ORG_OWNER"),
      c: await directory.member(c, "ORG_OWNER"),
    };
    const give = async (call: Call, resource: AdministeredResource, role: string) => {
      const input = { userId: target, resource, roles: [role] };
      const answer = await outcome(() => createAdministrator(deps, call, input));
      if (answer === "ok") await deleteAdministrator(deps, call, input);
      return answer;
    };
    assert.equal(await give(owners.a, ofGrant, "PROJECT_GRANT_OWNER"), "ok");
    assert.equal(await give(owners.b, ofGrant, "PROJECT_GRANT_OWNER"), "ok");
    assert.equal(await give(owners.c, ofGrant, "PROJECT_GRANT_OWNER"), "not_found project_grant.not_found");
    assert.equal(await give(owners.a, ofProject, "PROJECT_OWNER"), "ok");
    assert.equal(await give(owners.b, ofProject, "PROJECT_OWNER"), "not_found project.not_found");
    assert.equal(await give(owners.c, ofProject, "PROJECT_OWNER"), "not_found project.not_found");
  });

  test("the last owner of the instance who can sign in cannot be removed or demoted", async (t) => {
    const { directory, deps, a, owner } = await begin(await open(t));
    const first = { userId: directory.ownerId, resource: instance };
    const last = "failed_precondition membership.last_owner";
    assert.equal(await outcome(() => deleteAdministrator(deps, owner, first)), last);
    assert.equal(
      await outcome(() => updateAdministrator(deps, owner, { ...first, roles: ["IAM_OWNER_VIEWER"] })),
      last,
    );
    const second = await directory.addUser(a, "second");
    await createAdministrator(deps, owner, { userId: second, resource: instance, roles: ["IAM_OWNER"] });
    const operator = {
      ...deps,
      mayActFor: async () => true,
      isFresh: async () => true,
      refuseLossOfOwner,
      endAccessOfUser,
    };
    await changeUserState(operator, owner, { userId: second, move: "deactivate" });
    assert.equal(await outcome(() => deleteAdministrator(deps, owner, first)), last);
    await changeUserState(operator, owner, { userId: second, move: "reactivate" });
    assert.equal(await outcome(() => deleteAdministrator(deps, owner, first)), "ok");
  });

  test("when two owners remove each other at once, one remains", async (t) => {
    const location = await makeLocation(t, engine);
    const database = await open(t, { at: location });
    const { directory, deps, a } = await begin(database);
    const node = engine === "sqlite" ? deps : directoryDeps(await open(t, { at: location }));
    for (let round = 0; round < 5; round++) {
      const left = await directory.addUser(a, `left-${round}`);
      const right = await directory.addUser(a, `right-${round}`);
      const owners = await listOwners(directory);
      for (const userId of [left, right]) {
        await directory.addRole(userId, "instance", directory.instanceId, directory.instanceId, "IAM_OWNER");
      }
      const calls = [await directory.as(left), await directory.as(right)] as const;
      for (const userId of owners) await deleteAdministrator(deps, calls[0], { userId, resource: instance });
      const answers = await Promise.all([
        outcome(() => deleteAdministrator(deps, calls[0], { userId: right, resource: instance })),
        outcome(() => deleteAdministrator(node, calls[1], { userId: left, resource: instance })),
      ]);
      assert.equal(answers.filter((answer) => answer === "ok").length, 1, answers.join());
      assert.equal((await listOwners(directory)).length, 1);
    }
  });
});

async function listOwners(directory: Directory): Promise<string[]> {
  const search = {
    filters: [{ by: "role", role: "IAM_OWNER" }],
    orderBy: "created_at",
    isDescending: false,
    page: { offset: 0, limit: 100 },
  } as const;
  const system = { ...directory.nobody, caller: { userId: "", organizationId: "", access: everything } };
  return (await listAdministrators(directory.deps, system, search)).administrators.map(({ user }) => user.userId);
}

const everything = {
  positions: [],
  allows: () => true,
  noted: [],
  allowsAll: () => true,
  reach: () => ({ everywhere: true, organizationIds: [], projectIds: [], projectGrantIds: [] }),
  holdsAnywhere: () => true,
  hasLoginClient: () => false,
};
