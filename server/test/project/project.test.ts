import assert from "node:assert/strict";
import { test } from "node:test";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { deleteProject } from "../../src/domain/deletion/index.ts";
import { createProjectOfCaller } from "../../src/domain/membership/index.ts";
import { addProjectRole, changeProjectState, getProject, updateProject } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures } from "../support/operations/fixtures.ts";
import { refused } from "../support/operations/refused.ts";

eachEngine((open) => {
  test("a project has what it was made with, and defaults for the rest", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId } = await fixtures.organization("Acme");
    const made = await createProjectOfCaller(fixtures, fixtures.owner, {
      organizationId,
      projectId: "shop",
      name: "Shop",
      isAuthorizationRequired: true,
    });
    const project = await getProject(fixtures, fixtures.owner, { projectId: "shop" });
    assert.deepEqual(project, made);
    assert.deepEqual(
      { ...project, details: undefined },
      {
        projectId: "shop",
        organizationId,
        name: "Shop",
        state: "active",
        isRoleAssertionOn: false,
        isAuthorizationRequired: true,
        isProjectAccessRequired: false,
        privateLabeling: "unspecified",
        details: undefined,
      },
    );
    assert.equal(project.details.ownerId, organizationId);
  });

  test("names are unique in an organization whatever their case; ids in the instance", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const acme = await fixtures.organization("Acme");
    const other = await fixtures.organization("Other");
    await fixtures.project(acme, { name: "Shop", projectId: "shop" });
    const second = await fixtures.project(acme, { name: "Second" });
    await fixtures.project(other, { name: "Shop" });
    const create = (name: string, projectId?: string) =>
      createProjectOfCaller(fixtures, fixtures.owner, {
        organizationId: acme.organizationId,
        name,
        ...(projectId !== undefined && { projectId }),
      });
    await refused(create("SHOP"), "project.name_taken", "name");
    await refused(create("New", "shop"), "project.id_taken", "projectId");
    await refused(
      updateProject(fixtures, fixtures.owner, { projectId: second.projectId, name: "sHOP" }),
      "project.name_taken",
      "name",
    );
    for (const name of ["", "  ", "a\u200bb", "x".repeat(201)])
      await refused(create(name), "project.name_invalid", "name");
    for (const id of ["a b", "a/b", "x".repeat(201)])
      await refused(create("New", id), "project.id_invalid", "projectId");
    // A project may take its own name in other letters.
    await updateProject(fixtures, fixtures.owner, { projectId: "shop", name: "SHOP" });
    assert.equal((await getProject(fixtures, fixtures.owner, { projectId: "shop" })).name, "SHOP");
  });

  test("a change that changes nothing succeeds and is not an event", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const project = await fixtures.project(await fixtures.organization("Acme"), { name: "Shop" });
    const events: string[] = [];
    t.after(fixtures.database.onCommitted({ committed: ({ type }) => events.push(type), missed: () => {} }));
    const { projectId } = project;
    assert.deepEqual(await updateProject(fixtures, fixtures.owner, { projectId, name: "Shop" }), project.details);
    assert.deepEqual(
      await changeProjectState(fixtures, fixtures.owner, { projectId, state: "active" }),
      project.details,
    );
    assert.deepEqual(events, []);
    const changed = await changeProjectState(fixtures, fixtures.owner, { projectId, state: "inactive" });
    assert.equal(changed.sequence, project.details.sequence + 1);
    assert.deepEqual(await changeProjectState(fixtures, fixtures.owner, { projectId, state: "inactive" }), changed);
    await changeProjectState(fixtures, fixtures.owner, { projectId, state: "active" });
    assert.deepEqual(events, ["project.deactivated", "project.activated"]);
  });

  test("only what is given is changed", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { projectId } = await fixtures.project(await fixtures.organization("Acme"), {
      name: "Shop",
      isRoleAssertionOn: true,
    });
    await updateProject(fixtures, fixtures.owner, { projectId, privateLabeling: "project_owner" });
    await updateProject(fixtures, fixtures.owner, { projectId, isProjectAccessRequired: true });
    const project = await getProject(fixtures, fixtures.owner, { projectId });
    assert.equal(project.name, "Shop");
    assert.equal(project.isRoleAssertionOn, true);
    assert.equal(project.isProjectAccessRequired, true);
    assert.equal(project.privateLabeling, "project_owner");
  });

  test("a deleted project's name is free again, and its id never (A9)", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const acme = await fixtures.organization("Acme");
    await fixtures.project(acme, { name: "Shop", projectId: "shop" });
    await addProjectRole(fixtures, fixtures.owner, { projectId: "shop", roleKey: "admin", displayName: "Admin" });
    assert.notDeepEqual(await deleteProject(fixtures, fixtures.owner, { projectId: "shop" }), {});
    await refused(getProject(fixtures, fixtures.owner, { projectId: "shop" }), "project.not_found");
    assert.deepEqual(await deleteProject(fixtures, fixtures.owner, { projectId: "shop" }), {});
    const other = await fixtures.organization("Other");
    await refused(fixtures.project(other, { name: "Shop", projectId: "shop" }), "project.id_taken", "projectId");
    const { projectId, details } = await fixtures.project(acme, { name: "Shop" });
    assert.equal(details.sequence, 1);
    // Nothing of the first one is left in it: the role can be added again.
    await addProjectRole(fixtures, fixtures.owner, { projectId, roleKey: "admin", displayName: "Admin" });
  });

  test("a user who may only create projects owns those that they created", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { organizationId } = await fixtures.organization("Acme");
    const { userId } = await fixtures.user({ organizationId });
    const creator = fixtures.as([{ role: "ORG_PROJECT_CREATOR", level: "organization", resourceId: organizationId }], {
      userId,
      organizationId,
    });
    const { projectId } = await createProjectOfCaller(fixtures, creator, { organizationId, name: "Mine" });
    const access = await loadAccess(fixtures.database.read, "instance-1", userId);
    const call = { ...creator, caller: { userId, organizationId, access } };
    await updateProject(fixtures, call, { projectId, name: "Still mine" });
    // Who may change all projects of the organization is not made owner of each.
    const ownerCall = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationId }], {
      userId: "org-owner",
      organizationId,
    });
    await createProjectOfCaller(fixtures, ownerCall, { organizationId, name: "Theirs" });
    assert.deepEqual((await loadAccess(fixtures.database.read, "instance-1", "org-owner")).positions, []);
  });

  test("a project needs an organization that exists", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const create = createProjectOfCaller(fixtures, fixtures.owner, { organizationId: "nowhere", name: "Shop" });
    await refused(create, "organization.not_found");
  });
});
