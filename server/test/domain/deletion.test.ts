import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql, text } from "../../src/database/index.ts";
import { listAdministrators } from "../../src/domain/administrator-search/index.ts";
import { createAuthorization, foldAuthorizationCounts } from "../../src/domain/authorization/index.ts";
import { deleteInstance, deleteOrganization, purgeDeletedInstances } from "../../src/domain/deletion/index.ts";
import { createFindInstanceByHost } from "../../src/domain/instance/index.ts";
import { findUserByLoginName } from "../../src/domain/login-name/index.ts";
import { createAdministrator } from "../../src/domain/membership/index.ts";
import {
  addOrganizationDomain,
  getOrganization,
  listOrganizations,
  setOrganizationMetadata,
} from "../../src/domain/organization/index.ts";
import {
  addProjectRole,
  createProject,
  createProjectGrant,
  listProjectGrants,
} from "../../src/domain/project/index.ts";
import { setSettings, settingsKinds } from "../../src/domain/settings/index.ts";
import { foldUserCounts } from "../../src/domain/user/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";
import { type Directory, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";

const page = { offset: 0, limit: 100 };

/** Every table with its columns, as the engine knows them. */
async function schema({ engine, read }: Database): Promise<Map<string, string[]>> {
  const rows = await read.all<{ table: string; column: string }>(
    engine === "sqlite"
      ? sql`select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
          where t.schema = 'main' and t.type = 'table'`
      : sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = 'public'`,
  );
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map([...tables].map(([table, columns]) => [table, columns.map(({ column }) => column)]));
}

// A table that was found is not a literal; statements of the product take none but literals.
const selectAll = (table: string) => sql`select * from ${text(table as "users")}`;

async function rowsWith(database: Database, texts: readonly string[], ignored: readonly string[] = []) {
  const found: string[] = [];
  // What came and went leaves counts on PostgreSQL that add up to nothing until they are put together.
  await foldUserCounts({ database }, testCall());
  await foldAuthorizationCounts({ database }, testCall());
  for (const table of (await schema(database)).keys()) {
    if (ignored.includes(table)) continue;
    for (const row of await database.read.all(selectAll(table))) {
      const line = JSON.stringify(row);
      if (texts.some((each) => line.includes(each))) found.push(`${table}: ${line}`);
    }
  }
  return found;
}

/** Organization A with a bit of everything, in it and hanging on it elsewhere. */
async function fill(directory: Directory) {
  const { deps } = directory;
  const owner = await directory.as(directory.ownerId);
  const a = await directory.addOrganization("Acme");
  const b = await directory.addOrganization("Beta");
  const jane = await directory.addUser(a, "jane");
  const joe = await directory.addUser(b, "joe");
  const ofA = { level: "organization", organizationId: a } as const;
  const ofB = { level: "organization", organizationId: b } as const;
  await createAdministrator(deps, owner, { userId: joe, resource: ofA, roles: ["ORG_OWNER"] });
  await createAdministrator(deps, owner, { userId: jane, resource: ofB, roles: ["ORG_OWNER"] });
  await addOrganizationDomain({ ...deps, requiresDomainProof: async () => false }, owner, {
    organizationId: a,
    domain: "acme.example",
  });
  await setOrganizationMetadata(deps, owner, {
    organizationId: a,
    entries: [{ key: "plan", value: Buffer.from("gold") }],
  });
  const lockout = { ...settingsKinds.lockout.defaults, maxOtpAttempts: 2 };
  await setSettings(deps, owner, { kind: "lockout", organizationId: a, settings: lockout });
  const projects = [];
  for (const organizationId of [a, b]) {
    const project = await deps.database.change(directory.nobody, (tx) =>
      createProject(tx, deps, { organizationId, name: "Project" }),
    );
    const { projectId } = project;
    await addProjectRole(deps, owner, { projectId, roleKey: "reader", displayName: "Reader", roleGroup: "" });
    const grantedOrganizationId = organizationId === a ? b : a;
    await createProjectGrant(deps, owner, { projectId, grantedOrganizationId, roleKeys: ["reader"] });
    projects.push(projectId);
  }
  const [ownProject = "", lentProject = ""] = projects;
  for (const projectId of projects) {
    for (const userId of [jane, joe]) {
      const organizationId = userId === jane ? a : b;
      await createAuthorization(deps, owner, { userId, projectId, organizationId, roleKeys: ["reader"] });
    }
  }
  return { owner, a, b, jane, joe, ownProject, lentProject };
}

eachEngine((open, engine) => {
  test("deleting an organization deletes everything in it and everything that depends on it, and nothing else", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps } = directory;
    const { owner, a, b, jane, joe, ownProject, lentProject } = await fill(directory);
    const texts = [a, jane, ownProject, "acme.example", "jane"];
    // Identifiers stay, so that none is given a second time (A9).
    const history = ["events", "identifiers"];
    assert.ok((await rowsWith(deps.database, texts, history)).length > 15);
    assert.deepEqual(await deleteOrganization(deps, owner, { organizationId: a }), { deletedAt: owner.now });
    assert.deepEqual(await rowsWith(deps.database, texts, history), []);
    assert.deepEqual(await deleteOrganization(deps, owner, { organizationId: a }), {});

    const search = { filters: [], orderBy: "name", isDescending: false, page } as const;
    const { organizations, total } = await listOrganizations(deps, owner, search);
    assert.deepEqual([organizations.map(({ name }) => name), total], [["Beta", "Home"], 2]);
    const administrators = await listAdministrators(deps, owner, { ...search, orderBy: "created_at" });
    assert.deepEqual(
      administrators.administrators.map(({ user }) => user.userId),
      [directory.ownerId],
    );
    assert.ok((await rowsWith(deps.database, [lentProject], history)).length > 0);
    assert.ok((await rowsWith(deps.database, [joe], history)).length > 0);
    const grants = await listProjectGrants(deps, owner, {
      filters: [],
      orderBy: "created_at",
      isDescending: false,
      page,
    } as never);
    assert.equal(grants.total, 0);
    assert.equal((await getOrganization(deps, owner, b)).name, "Beta");
  });

  test("what an organization had is free again: its name, its domain, its users' names, but never its id (A9)", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const { owner, a } = await fill(directory);
    await deleteOrganization(deps, owner, { organizationId: a });
    const taken = await outcome(() => directory.addOrganization("Acme", a));
    assert.equal(taken, "already_exists organization.id_taken");
    const again = await directory.addOrganization("Acme");
    assert.notEqual(again, a);
    const { primaryDomain, details } = await getOrganization(deps, owner, again);
    assert.equal(primaryDomain, "acme.id.example.test");
    assert.equal(details.sequence, 1, "the history is its own");
    const jane = await directory.addUser(again, "jane");
    const found = await findUserByLoginName(deps.database.read, instanceId, "jane@acme.id.example.test");
    assert.equal(found?.userId, jane);
    await addOrganizationDomain({ ...deps, requiresDomainProof: async () => false }, owner, {
      organizationId: again,
      domain: "acme.example",
    });
  });

  test("the default organization stays, and so does the one whose users alone own the instance", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps } = directory;
    const { owner, a, jane } = await fill(directory);
    const remove = (organizationId: string, call = owner) =>
      outcome(() => deleteOrganization(deps, call, { organizationId }));
    assert.equal(await remove(directory.organizationId), "failed_precondition organization.is_default");
    const resource = { level: "instance" } as const;
    await createAdministrator(deps, owner, { userId: jane, resource, roles: ["IAM_OWNER"] });
    const janes = await directory.as(jane);
    await deps.database.touch(directory.nobody, (tx) =>
      tx.run(
        sql`update users set state = 'inactive' where instance_id = ${tx.instanceId} and user_id = ${directory.ownerId}`,
      ),
    );
    assert.equal(await remove(a, janes), "failed_precondition membership.last_owner");
    assert.equal((await getOrganization(deps, owner, a)).name, "Acme");
  });

  test("its owner may delete an organization; a viewer, others' owners and strangers may not", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps } = directory;
    const a = await directory.addOrganization("Acme");
    const b = await directory.addOrganization("Beta");
    const remove = async (role: string, home: string) => {
      const call = await directory.member(home, role);
      return outcome(() => deleteOrganization(deps, call, { organizationId: a }));
    };
    assert.equal(await remove("ORG_OWNER_VIEWER", a), "permission_denied permission.missing");
    assert.equal(await remove("ORG_OWNER", b), "not_found organization.not_found");
    assert.equal(await remove("IAM_OWNER_VIEWER", directory.organizationId), "permission_denied permission.missing");
    const anonymous = outcome(() => deleteOrganization(deps, directory.nobody, { organizationId: a }));
    assert.equal(await anonymous, "unauthenticated authentication.required");
    assert.equal(await remove("ORG_OWNER", a), "ok");
    assert.equal(await remove("ORG_OWNER", b), "not_found organization.not_found");
  });

  test("no user is created in an organization while it is being deleted", async (t) => {
    if (engine === "sqlite") return;
    const directory = await makeDirectory(await open(t));
    const { deps } = directory;
    const owner = await directory.as(directory.ownerId);
    for (let round = 0; round < 5; round++) {
      const a = await directory.addOrganization(`Acme ${round}`);
      const attempts = Array.from({ length: 8 }, (_, index) =>
        outcome(() => directory.addUser(a, `user-${round}-${index}`)),
      );
      const [removed] = await Promise.all([
        outcome(() => deleteOrganization(deps, owner, { organizationId: a })),
        ...attempts,
      ]);
      assert.equal(removed, "ok");
      assert.deepEqual(await rowsWith(deps.database, [a], ["events", "identifiers"]), []);
    }
  });

  test("a deleted instance is gone with every row, and the others lose nothing", async (t) => {
    const database = await open(t);
    const first = await makeDirectory(database, { host: "one.example.test" });
    const second = await makeDirectory(database, { host: "two.example.test", deps: first.deps });
    await fill(first);
    await fill(second);
    const before = await first.snapshot();
    const find = createFindInstanceByHost({ database });
    assert.equal((await find("two.example.test"))?.instanceId, second.instanceId);
    const forOwner = outcome(async () =>
      deleteInstance(first.deps, await second.as(second.ownerId), { instanceId: second.instanceId }),
    );
    assert.equal(await forOwner, "permission_denied permission.missing");
    await deleteInstance(first.deps, first.system, { instanceId: second.instanceId });
    assert.equal(await find("two.example.test"), undefined);
    const left = await rowsWith(database, [second.instanceId]);
    assert.deepEqual(left.length, 1);
    assert.match(left[0] ?? "", /^events: .*instance\.deleted/);
    assert.equal(await first.snapshot(), before);
    const again = outcome(() => deleteInstance(first.deps, first.system, { instanceId: second.instanceId }));
    assert.equal(await again, "not_found instance.not_found");
    await purgeDeletedInstances(first.deps);
    const third = await makeDirectory(database, { host: "two.example.test", deps: first.deps });
    assert.equal((await find("two.example.test"))?.instanceId, third.instanceId);
  });

  test("every table whose rows belong to an instance is emptied with it", async (t) => {
    const database = await open(t);
    const { tablesOfInstances } = await import("../../src/domain/deletion/instance.store.ts");
    const owned = [...(await schema(database))]
      .filter(([table, columns]) => table !== "instances" && columns.includes("instance_id"))
      .map(([table]) => table);
    assert.deepEqual(owned.toSorted(), [...tablesOfInstances].toSorted());
  });
});
