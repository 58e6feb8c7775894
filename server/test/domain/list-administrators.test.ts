import assert from "node:assert/strict";
import { test } from "node:test";
import { systemRandom } from "../../src/base/random.ts";
import type { Call } from "../../src/call/index.ts";
import type { Database } from "../../src/database/index.ts";
import {
  type Administrator,
  type AdministratorFilter,
  type AdministratorSearch,
  listAdministrators,
} from "../../src/domain/administrator-search/index.ts";
import { createProject, createProjectGrant } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Directory, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";

const page = { offset: 0, limit: 1000 };

/** Two organizations, a project of the first that is lent to the second, and administrators of everything. */
async function begin(database: Database) {
  const directory = await makeDirectory(database);
  const { deps, nobody } = directory;
  const a = await directory.addOrganization("A");
  const b = await directory.addOrganization("B");
  const owner = await directory.as(directory.ownerId);
  const { projectId } = await database.change(nobody, (tx) =>
    createProject(tx, deps, { organizationId: a, name: "Project" }),
  );
  const { grantId } = await createProjectGrant(deps, owner, { projectId, grantedOrganizationId: b, roleKeys: [] });
  const people: Record<string, string> = {};
  const add = async (
    name: string,
    home: string,
    position: readonly [level: never, resource: string, owner: string],
    role: string,
  ) => {
    people[name] = await directory.addUser(home, name);
    await directory.addRole(people[name], ...position, role);
  };
  const positionAt = (level: string, resource: string, ownerId: string) => [level as never, resource, ownerId] as const;
  await add("ann", a, positionAt("organization", a, a), "ORG_OWNER");
  await add("ben", b, positionAt("organization", b, b), "ORG_OWNER");
  await add("cleo", b, positionAt("organization", a, a), "ORG_USER_MANAGER");
  await add("dora", a, positionAt("project", projectId, a), "PROJECT_OWNER");
  await add("emil", b, positionAt("project_grant", grantId, a), "PROJECT_GRANT_OWNER");
  await add("fred", a, positionAt("instance", directory.instanceId, directory.instanceId), "IAM_OWNER_VIEWER");
  await directory.addRole(people["ann"] ?? "", "project", projectId, a, "PROJECT_OWNER_VIEWER");
  return { directory, a, b, projectId, people, owner };
}

const search = (given: Partial<AdministratorSearch>): AdministratorSearch => ({
  filters: [],
  orderBy: "created_at",
  isDescending: false,
  page,
  ...given,
});

async function list(directory: Directory, call: Call, given: Partial<AdministratorSearch> = {}) {
  return listAdministrators(directory.deps, call, search(given));
}

const shown = ({ user, resource, roles }: Administrator): string =>
  `${user.displayName.split(" ", 1)[0]} ${resource.level} ${roles.join("+")}`;

eachEngine((open) => {
  test("callers see the administrators of what they may read, their own memberships, and a total of just these", async (t) => {
    const { directory, people, owner } = await begin(await open(t));
    const all = [
      "ann organization ORG_OWNER",
      "ann project PROJECT_OWNER_VIEWER",
      "ben organization ORG_OWNER",
      "cleo organization ORG_USER_MANAGER",
      "dora project PROJECT_OWNER",
      "emil project_grant PROJECT_GRANT_OWNER",
      "fred instance IAM_OWNER_VIEWER",
      "owner instance IAM_OWNER",
    ];
    const sees = async (call: Call) => {
      const { administrators, total } = await list(directory, call);
      assert.equal(total, administrators.length);
      const first = await list(directory, call, { page: { offset: 0, limit: 1 } });
      assert.equal(first.total, total);
      return administrators.map(shown).sort();
    };
    const as = (name: string) => directory.as(people[name] ?? "");
    assert.deepEqual(await sees(owner), all);
    assert.deepEqual(await sees(await as("fred")), all);
    // Strangers have no names (A32), and home sees what its people hold elsewhere (A15).
    const unnamed = (line = ""): string => line.replace(/^\w+/, "");
    const ofA = all.filter((line) => !/^(ben|cleo|emil|owner)/.test(line));
    assert.deepEqual(await sees(await as("ann")), [unnamed(all[3]), unnamed(all[5]), ...ofA]);
    // The organization that a project was lent to administrates the grant, and sees who else does.
    assert.deepEqual(await sees(await as("ben")), [all[2], all[3], all[5]]);
    assert.deepEqual(await sees(await as("cleo")), [all[0], all[1], all[3], all[4], all[6]]);
    assert.deepEqual(await sees(await as("dora")), [unnamed(all[5]), all[1], all[4]]);
    assert.deepEqual(await sees(await as("emil")), [all[5]]);
    const nobody = {
      ...directory.nobody,
      caller: { userId: "404", organizationId: "", access: (await as("404")).caller?.access },
    };
    assert.deepEqual(await sees(nobody as Call), []);
  });

  test("each administrator shows their user and their resource", async (t) => {
    const { directory, a, b, projectId, people, owner } = await begin(await open(t));
    const { administrators } = await list(directory, owner, { filters: [{ by: "role", role: "PROJECT_GRANT_OWNER" }] });
    const [emil] = administrators;
    assert.deepEqual(emil?.user, {
      userId: people["emil"],
      preferredLoginName: "emil@b.id.example.test",
      displayName: "emil Test",
      organizationId: b,
    });
    assert.ok(emil.resource.level === "project_grant" && emil.resource.grantId !== "");
    const { grantId: _, ...resource } = emil.resource;
    assert.deepEqual(resource, {
      level: "project_grant",
      projectId,
      projectName: "Project",
      organizationId: a,
      grantedOrganizationId: b,
    });
    const byRole = async (role: string) =>
      (await list(directory, owner, { filters: [{ by: "role", role }] })).administrators[0]?.resource;
    assert.deepEqual(await byRole("ORG_USER_MANAGER"), { level: "organization", organizationId: a, name: "A" });
    assert.deepEqual(await byRole("PROJECT_OWNER"), {
      level: "project",
      projectId,
      name: "Project",
      organizationId: a,
    });
  });

  test("filters nested in any way find what the same conditions find in memory", async (t) => {
    const { directory, a, b, projectId, people, owner } = await begin(await open(t));
    const { administrators } = await list(directory, owner);
    const now = owner.now;
    const leaves: [AdministratorFilter, (each: Administrator) => boolean][] = [
      [{ by: "created_at", method: "equals", instant: now }, () => true],
      [{ by: "changed_at", method: "greater", instant: now }, () => false],
      [{ by: "user_ids", userIds: [people["ann"] ?? "", "404"] }, ({ user }) => user.userId === people["ann"]],
      [{ by: "user_ids", userIds: [] }, () => false],
      [{ by: "user_organization", organizationId: b }, ({ user }) => user.organizationId === b],
      [{ by: "login_name", method: "starts_with", text: "d" }, ({ user }) => user.preferredLoginName.startsWith("d")],
      [
        { by: "display_name", method: "contains_ignore_case", text: "EO" },
        ({ user }) => user.displayName.includes("eo"),
      ],
      [{ by: "resource", resource: { level: "instance" } }, ({ resource }) => resource.level === "instance"],
      [
        { by: "resource", resource: { level: "organization", organizationId: a } },
        ({ resource }) => resource.level === "organization" && resource.organizationId === a,
      ],
      [{ by: "resource", resource: { level: "project", projectId } }, ({ resource }) => resource.level === "project"],
      [
        { by: "resource", resource: { level: "project_grant", projectId, grantedOrganizationId: b } },
        ({ resource }) => resource.level === "project_grant",
      ],
      [{ by: "role", role: "ORG_OWNER" }, ({ roles }) => roles.includes("ORG_OWNER")],
    ];
    const pick = (count: number) => systemRandom(4).readUInt32BE() % count;
    const grow = (depth: number): (typeof leaves)[number] => {
      const kind = depth === 0 ? 0 : pick(4);
      if (kind === 0) return leaves[pick(leaves.length)] as (typeof leaves)[number];
      if (kind === 1) {
        const [filter, holds] = grow(depth - 1);
        return [{ by: "not", filter }, (each) => !holds(each)];
      }
      const inner = Array.from({ length: pick(4) }, () => grow(depth - 1));
      const filters = inner.map(([filter]) => filter);
      return kind === 2
        ? [{ by: "and", filters }, (each) => inner.every(([, holds]) => holds(each))]
        : [{ by: "or", filters }, (each) => inner.some(([, holds]) => holds(each))];
    };
    const trees = [...leaves, ...Array.from({ length: 200 }, () => grow(4))];
    for (const [filter, holds] of trees) {
      const found = await list(directory, owner, { filters: [filter] });
      assert.deepEqual(found.administrators, administrators.filter(holds), JSON.stringify(filter));
      assert.equal(found.total, found.administrators.length);
    }
  });

  test("filters may be nested twenty levels deep and no deeper", async (t) => {
    const { directory, owner } = await begin(await open(t));
    const nest = (levels: number): AdministratorFilter =>
      levels === 1 ? { by: "role", role: "ORG_OWNER" } : { by: "not", filter: nest(levels - 1) };
    assert.equal(await outcome(() => list(directory, owner, { filters: [nest(20)] })), "ok");
    const deeper = outcome(() => list(directory, owner, { filters: [nest(21)] }));
    assert.equal(await deeper, "invalid_argument filter.too_deep");
  });

  test("pages follow one another without gaps in every order", async (t) => {
    const { directory, owner } = await begin(await open(t));
    for (const orderBy of ["user_id", "created_at", "changed_at"] as const) {
      for (const isDescending of [false, true]) {
        const whole = await list(directory, owner, { orderBy, isDescending });
        const pages = [];
        for (let offset = 0; offset < whole.total; offset += 3) {
          const part = await list(directory, owner, { orderBy, isDescending, page: { offset, limit: 3 } });
          pages.push(...part.administrators);
        }
        assert.deepEqual(pages, whole.administrators);
      }
    }
  });
});
