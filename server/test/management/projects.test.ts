import assert from "node:assert/strict";
import { test } from "node:test";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { type Deed, errorId, expectFound, management, perform, startManaged } from "../support/servers/managed.ts";

const projects = "service.project.v2.ProjectService";

eachServer((start) => {
  test("projects and their roles in the first generation", async (t) => {
    const managed = await startManaged(t, start);
    const { server, home, other, v1, call } = managed;
    const { id, details } = await v1("AddProject", {
      name: "Shop",
      projectRoleAssertion: true,
      hasProjectCheck: true,
      privateLabelingSetting: "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY",
    });
    assert.equal(details.resourceOwner, home);
    const read = async () => {
      const { creationDate, changeDate, ...project } = (await call(`${projects}/GetProject`, { projectId: id }))
        .project;
      assert.ok(creationDate && changeDate);
      return project;
    };
    const roles = async () =>
      (
        (await call(`${projects}/ListProjectRoles`, { projectId: id, pagination: { asc: true } })).projectRoles ?? []
      ).map(({ key, displayName, group = "" }: Record<string, string>) => `${key}/${displayName}/${group}`);
    const made = {
      projectId: id,
      organizationId: home,
      name: "Shop",
      state: "PROJECT_STATE_ACTIVE",
      projectRoleAssertion: true,
      projectAccessRequired: true,
      privateLabelingSetting: "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY",
    };
    assert.deepEqual(await read(), made);
    // A write states all that the first generation knows of a project: what is left out is off.
    const renamed = { projectId: id, organizationId: home, name: "Store", authorizationRequired: true };

    const deeds: readonly Deed[] = [
      { method: "GetProjectByID", request: { id }, names: ["id"], again: "same" },
      {
        method: "UpdateProject",
        request: { id, name: "Store", projectRoleCheck: true },
        names: ["id"],
        effect: read,
        expected: { ...renamed, state: "PROJECT_STATE_ACTIVE" },
        again: "same",
      },
      {
        method: "DeactivateProject",
        request: { id },
        names: ["id"],
        effect: read,
        expected: { ...renamed, state: "PROJECT_STATE_INACTIVE" },
        again: "same",
      },
      {
        method: "ReactivateProject",
        request: { id },
        names: ["id"],
        effect: read,
        expected: { ...renamed, state: "PROJECT_STATE_ACTIVE" },
        again: "same",
      },
      {
        method: "AddProjectRole",
        request: { projectId: id, roleKey: "reader", displayName: "Reader", group: "all" },
        names: ["projectId"],
        effect: roles,
        expected: ["reader/Reader/all"],
        again: { refused: "project.role_taken" },
      },
      {
        method: "BulkAddProjectRoles",
        request: {
          projectId: id,
          roles: [
            { key: "writer", displayName: "Writer", group: "all" },
            { key: "shop/admin", displayName: "Admin" },
          ],
        },
        names: ["projectId"],
        effect: async () => (await roles()).sort(),
        expected: ["reader/Reader/all", "shop/admin/Admin/", "writer/Writer/all"],
        again: { refused: "project.role_taken" },
      },
      {
        method: "UpdateProjectRole",
        request: { projectId: id, roleKey: "reader", displayName: "Readers" },
        names: ["projectId", "roleKey"],
        effect: async () => (await roles()).includes("reader/Readers/"),
        expected: true,
        again: "same",
      },
      { method: "ListProjectRoles", request: { projectId: id }, names: ["projectId"], again: "same" },
      {
        method: "RemoveProjectRole",
        request: { projectId: id, roleKey: "writer" },
        names: ["projectId"],
        effect: async () => (await roles()).sort(),
        expected: ["reader/Readers/", "shop/admin/Admin/"],
        again: "same",
      },
    ];
    for (const deed of deeds) await t.test(deed.method, () => perform(managed, deed));

    await t.test("roles added in bulk are added all or none", async () => {
      const bulk = (second: object) =>
        server.rest("POST", `/management/v1/projects/${id}/roles/_bulk`, {
          body: { roles: [{ key: "new", displayName: "New" }, second] },
        });
      const taken = await bulk({ key: "reader", displayName: "Reader" });
      assert.deepEqual([taken.status, taken.body.details[0].id], [409, "project.role_taken"]);
      const invalid = await bulk({ key: "newer", displayName: "\u0007" });
      assert.equal(invalid.status, 400);
      assert.match(invalid.body.message, /roles\[1\]\.displayName/);
      assert.deepEqual((await roles()).sort(), ["reader/Readers/", "shop/admin/Admin/"]);
      const nothing = await v1("BulkAddProjectRoles", { projectId: id });
      assert.equal(nothing.details.sequence, (await v1("GetProjectByID", { id })).project.details.sequence);
    });

    await t.test("records have all fields, and roles the details of their project", async () => {
      const { body } = await server.rest("GET", `/management/v1/projects/${id}`);
      assert.deepEqual(
        { ...body.project, details: Object.keys(body.project.details).sort() },
        {
          id,
          details: ["changeDate", "creationDate", "resourceOwner", "sequence"],
          name: "Store",
          state: "PROJECT_STATE_ACTIVE",
          projectRoleAssertion: false,
          projectRoleCheck: true,
          hasProjectCheck: false,
          privateLabelingSetting: "PRIVATE_LABELING_SETTING_UNSPECIFIED",
        },
      );
      const listed = await server.rest("POST", `/management/v1/projects/${id}/roles/_search`, {
        body: { queries: [{ keyQuery: { key: "reader" } }] },
      });
      const [role] = listed.body.result;
      assert.deepEqual(role, { key: "reader", details: role.details, displayName: "Readers", group: "" });
      assert.deepEqual(
        [role.details.sequence, role.details.resourceOwner],
        [body.project.details.sequence, home],
        "a role shares the sequence of its project",
      );
      const byPath = await server.rest("PUT", `/management/v1/projects/${id}/roles/shop%2Fadmin`, {
        body: { displayName: "Administrator" },
      });
      assert.equal(byPath.status, 200, JSON.stringify(byPath.body));
      assert.ok((await roles()).includes("shop/admin/Administrator/"));
      const bySegments = await server.rest("PUT", `/management/v1/projects/${id}/roles/shop/admin`, {
        body: { displayName: "Head" },
      });
      assert.equal(bySegments.status, 200, JSON.stringify(bySegments.body));
      assert.ok((await roles()).includes("shop/admin/Head/"));
    });

    await t.test("lists show the organization of the call, and queries that must all hold", async () => {
      const inOther = { "x-service-orgid": other };
      for (const name of ["Bank", "Bar"]) await v1("AddProject", { name });
      await v1("AddProject", { name: "Bakery" }, inOther);
      const list = (request: object) => v1("ListProjects", request);
      const name = (project: { name: string }) => project.name;
      const starts = { nameQuery: { name: "ba", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } };
      await expectFound(list, name, [
        [[starts], ["Bank", "Bar"]],
        [[{ nameQuery: { name: "Bank" } }], ["Bank"]],
        [[{ nameQuery: { name: "bank" } }], []],
        [[starts, { nameQuery: { name: "k", method: "TEXT_QUERY_METHOD_ENDS_WITH" } }], ["Bank"]],
        [
          [starts, { projectResourceOwnerQuery: { resourceOwner: home } }],
          ["Bank", "Bar"],
        ],
        [[{ projectResourceOwnerQuery: { resourceOwner: other } }], []],
      ]);
      await expectFound((request) => v1("ListProjects", request, inOther), name, [[[], ["Bakery"]]]);
      const page = await list({ query: { limit: 1, offset: 1, asc: true }, queries: [starts] });
      assert.deepEqual([page.result.map(name), page.details.totalResult], [["Bar"], "2"]);
      assert.equal(
        errorId((await server.connect(`${management}/ListProjects`, { queries: [{}] })).body),
        "filter.invalid",
      );
      assert.equal((await server.connect(`${management}/ListProjects`, { query: { limit: 1001 } })).status, 400);
      const roleNames = ({ key }: { key: string }) => key;
      await expectFound((request) => v1("ListProjectRoles", { projectId: id, ...request }), roleNames, [
        [[], ["reader", "shop/admin"]],
        [[{ keyQuery: { key: "shop", method: "TEXT_QUERY_METHOD_CONTAINS" } }], ["shop/admin"]],
        [
          [{ displayNameQuery: { displayName: "readers", method: "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE" } }],
          ["reader"],
        ],
        [[{ displayNameQuery: { displayName: "Readers" } }, { keyQuery: { key: "shop/admin" } }], []],
      ]);
    });

    await t.test("an owner of one project manages that one, and sees no other", async () => {
      const pia = await addPerson(server, { username: "pia" });
      await appoint(server, pia, { projectId: id }, ["PROJECT_OWNER"]);
      const { token } = await sessionOf(server, pia);
      const ask = (method: string, request: object) => server.connect(`${management}/${method}`, request, { token });
      const { id: bank } = (await v1("ListProjects", { queries: [{ nameQuery: { name: "Bank" } }] })).result[0];
      assert.equal((await ask("GetProjectByID", { id })).body.project.name, "Store");
      assert.equal((await ask("UpdateProject", { id, name: "Store", projectRoleCheck: true })).status, 200);
      const listed = (await ask("ListProjects", {})).body;
      assert.deepEqual(
        [listed.result.map((found: { id: string }) => found.id), listed.details.totalResult],
        [[id], "1"],
      );
      for (const [method, request] of [
        ["GetProjectByID", { id: bank }],
        ["UpdateProject", { id: bank, name: "Mine" }],
        ["AddProjectRole", { projectId: bank, roleKey: "mine", displayName: "Mine" }],
        ["AddProject", { name: "Mine" }],
      ] as const) {
        assert.equal((await ask(method, request)).status, 403, method);
      }
    });

    await t.test("names are free of others, and the built-in project stays", async () => {
      const taken = await server.connect(`${management}/AddProject`, { name: "store" });
      assert.deepEqual([taken.status, errorId(taken.body)], [409, "project.name_taken"]);
      const system = (await server.app.domain.findInstanceByHost("localhost"))?.systemProjectId;
      for (const method of ["DeactivateProject", "RemoveProject"]) {
        const { status, body } = await server.connect(`${management}/${method}`, { id: system });
        assert.deepEqual([status, errorId(body)], [400, "project.is_system"], method);
      }
    });

    await t.test("RemoveProject", async () => {
      const removed = await perform(managed, {
        method: "RemoveProject",
        request: { id },
        names: ["id"],
        effect: async () => (await server.connect(`${projects}/GetProject`, { projectId: id })).status,
        expected: 404,
        again: { refused: "project.not_found" },
      });
      assert.deepEqual(Object.keys(removed.details).sort(), ["changeDate", "resourceOwner"]);
    });
  });
});
