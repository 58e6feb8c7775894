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

const projects = "service.project.v2.ProjectService";

/** Makes a project with roles, and the owner of an organization to which it can be lent. */
async function prepare({ server, call }: Managed, organizationId: string) {
  const { projectId } = await call(`${projects}/CreateProject`, { organizationId, name: "Shop" });
  for (const roleKey of ["reader", "writer", "admin"]) {
    await call(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: `The ${roleKey}` });
  }
  const partner = await addOrganization(server, "Partner");
  const paul = await addPerson(server, { username: "paul", organizationId: partner });
  await appoint(server, paul, { organizationId: partner }, ["ORG_OWNER"]);
  return { projectId, partner, token: (await sessionOf(server, paul)).token };
}

eachServer((start) => {
  test("grants of projects in the first generation", async (t) => {
    const managed = await startManaged(t, start);
    const { server, home, other, v1, call } = managed;
    const { projectId, partner, token } = await prepare(managed, home);
    const grants = async () =>
      ((await call(`${projects}/ListProjectGrants`, {})).projectGrants ?? []).map(
        ({ grantedOrganizationId, grantedRoleKeys = [], state }: Record<string, unknown>) => ({
          grantedOrganizationId,
          grantedRoleKeys,
          state,
        }),
      );
    const grant = (grantedRoleKeys: string[], state = "ACTIVE") => [
      { grantedOrganizationId: partner, grantedRoleKeys, state: `PROJECT_GRANT_STATE_${state}` },
    ];
    let grantId = "";

    await t.test("AddProjectGrant", async () => {
      const made = await perform(managed, {
        method: "AddProjectGrant",
        request: { projectId, grantedOrgId: partner, roleKeys: ["reader", "admin"] },
        names: ["projectId", "grantedOrgId"],
        effect: grants,
        expected: grant(["admin", "reader"]),
        again: { refused: "project_grant.taken" },
      });
      assert.equal(made.details.resourceOwner, home);
      ({ grantId } = made);
      const own = await server.connect(`${management}/AddProjectGrant`, { projectId, grantedOrgId: home });
      assert.deepEqual(
        [errorId(own.body), /grantedOrgId/.test(own.body.message)],
        ["project_grant.own_organization", true],
      );
    });

    const deeds = (): readonly Deed[] =>
      [
        { method: "GetProjectGrantByID", request: {}, again: "same" } as const,
        { method: "ListProjectGrantChanges", request: {}, again: "same" } as const,
        {
          method: "UpdateProjectGrant",
          request: { roleKeys: ["writer", "reader"] },
          effect: grants,
          expected: grant(["reader", "writer"]),
          again: "same",
        } as const,
        {
          method: "DeactivateProjectGrant",
          request: {},
          effect: grants,
          expected: grant(["reader", "writer"], "INACTIVE"),
          again: "same",
        } as const,
        {
          method: "ReactivateProjectGrant",
          request: {},
          effect: grants,
          expected: grant(["reader", "writer"]),
          again: "same",
        } as const,
      ].map((deed) => ({
        ...deed,
        request: { projectId, grantId, ...deed.request },
        names: ["projectId", "grantId"],
      }));
    for (const index of deeds().keys()) {
      const { method } = deeds()[index] as Deed;
      await t.test(method, () => perform(managed, deeds()[index] as Deed));
    }

    await t.test("a grant is shown with names of both sides, and to the organization that it was lent to", async () => {
      const record = {
        grantId,
        grantedOrgId: partner,
        grantedOrgName: "Partner",
        grantedRoleKeys: ["reader", "writer"],
        state: "PROJECT_GRANT_STATE_ACTIVE",
        projectId,
        projectName: "Shop",
        projectOwnerId: home,
        projectOwnerName: "Doorward",
      };
      const ofOwner = await server.rest("GET", `/management/v1/projects/${projectId}/grants/${grantId}`);
      const { details } = ofOwner.body.projectGrant;
      assert.deepEqual(ofOwner.body.projectGrant, { ...record, details });
      const lent = `/management/v1/granted_projects/${projectId}/grants/${grantId}`;
      assert.deepEqual((await server.rest("GET", lent, { token })).body.grantedProject, { ...record, details });
      // The owner did not lend it to their own organization, and others see it on neither path.
      const absent = await server.rest("GET", lent.replace(grantId, "404"));
      assert.deepEqual([absent.status, (await server.rest("GET", lent)).body], [404, absent.body]);
      const strange = await server.rest("GET", lent, { token: managed.otherOwner });
      assert.deepEqual(strange.body, absent.body);
      const roles = await server.rest("GET", `${lent}/roles/_search?query.asc=true`, { token });
      assert.deepEqual(
        roles.body.result.map(({ key, displayName }: Record<string, string>) => [key, displayName]).sort(),
        [
          ["reader", "The reader"],
          ["writer", "The writer"],
        ],
      );
      assert.equal((await server.rest("GET", `${lent}/roles/_search`)).status, 404);
      // A lent project is not owned: the methods on own projects do not find it.
      for (const path of ["", "/roles/_search", `/grants/${grantId}`]) {
        const method = path.endsWith("_search") ? "POST" : "GET";
        const body = path.endsWith("_search") ? { body: {} } : {};
        const asked = await server.rest(method, `/management/v1/projects/${projectId}${path}`, { token, ...body });
        assert.equal(asked.status, 404, path);
      }
    });

    await t.test("lists match queries that must all hold", async () => {
      const bank = await v1("AddProject", { name: "Bank" });
      await v1("AddProjectRole", { projectId: bank.id, roleKey: "clerk", displayName: "Clerk" });
      await v1("AddProjectGrant", { projectId: bank.id, grantedOrgId: other, roleKeys: ["clerk"] });
      const back = await v1("AddProject", { name: "Backwards" }, { "x-service-orgid": other });
      await v1("AddProjectGrant", { projectId: back.id, grantedOrgId: partner }, { "x-service-orgid": other });
      const name = ({ projectName, grantedOrgName }: Record<string, string>) => `${projectName} to ${grantedOrgName}`;
      const ba = { projectNameQuery: { name: "ba", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } };
      await expectFound((request) => v1("ListAllProjectGrants", request), name, [
        [[], ["Shop to Partner", "Bank to Other"]],
        [[ba], ["Bank to Other"]],
        [[{ roleKeyQuery: { roleKey: "reader" } }], ["Shop to Partner"]],
        [[{ roleKeyQuery: { roleKey: "reader" } }, ba], []],
        [[{ projectIdQuery: { projectId: bank.id } }], ["Bank to Other"]],
        [[{ grantedOrgIdQuery: { grantedOrgId: partner } }], ["Shop to Partner"]],
      ]);
      await expectFound((request) => v1("ListProjectGrants", { projectId, ...request }), name, [
        [[], ["Shop to Partner"]],
        [[ba], []],
        [
          [{ roleKeyQuery: { roleKey: "WRIT", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } }],
          ["Shop to Partner"],
        ],
      ]);
      const granted = (request: object) => v1("ListGrantedProjects", request, { "x-service-orgid": partner });
      await expectFound(granted, name, [
        [[], ["Shop to Partner", "Backwards to Partner"]],
        [[{ nameQuery: { name: "Shop" } }], ["Shop to Partner"]],
        [[{ projectResourceOwnerQuery: { resourceOwner: other } }], ["Backwards to Partner"]],
        [[{ projectResourceOwnerQuery: { resourceOwner: other } }, { nameQuery: { name: "Shop" } }], []],
      ]);
      await expectFound((request) => v1("ListGrantedProjects", request), name, [[[], []]]);
      const hidden = await server.connect(`${management}/ListProjectGrants`, { projectId: back.id });
      assert.deepEqual([hidden.status, errorId(hidden.body)], [404, "project.not_found"]);
      for (const method of ["ListAllProjectGrants", "ListGrantedProjects"]) {
        const { body } = await server.connect(`${management}/${method}`, { queries: [{}] });
        assert.equal(errorId(body), "filter.invalid", method);
      }
      await v1("RemoveProject", { id: bank.id });
      await v1("RemoveProject", { id: back.id }, { "x-service-orgid": other });
    });

    await t.test("a holder of a grant does not learn which project is of which organization", async () => {
      const { projectId: ours } = await call(`${projects}/CreateProject`, { organizationId: home, name: "Secret" });
      const { projectId: theirs } = await call(`${projects}/CreateProject`, { organizationId: other, name: "Other" });
      const holder = await addPerson(server, { username: "holder", organizationId: partner });
      await appoint(server, holder, { projectGrant: { projectId, organizationId: partner } }, ["PROJECT_GRANT_OWNER"]);
      const { token: holding } = await sessionOf(server, holder);
      const ask = async (method: string, project: string, organizationId: string): Promise<string> => {
        const request = { projectId: project, grantId, ...(method.startsWith("Update") && { roleKeys: ["reader"] }) };
        const headers = { "x-service-orgid": organizationId };
        const answer = await server.connect(`${management}/${method}`, request, { token: holding, headers });
        return answer.status === 200 ? "200" : errorId(answer.body);
      };
      assert.equal(await ask("GetProjectGrantByID", projectId, home), "200", "the grant itself");
      const methods = ["Get…ByID", "List…Changes", "Update…", "Deactivate…", "Reactivate…", "Remove…"];
      for (const method of methods.map((name) => name.replace("…", "ProjectGrant"))) {
        const answers = [];
        for (const project of [ours, theirs, "404"])
          for (const organizationId of [home, other]) answers.push(await ask(method, project, organizationId));
        assert.equal(new Set(answers).size, 1, `${method}: ${answers.join(", ")}`);
      }
      await v1("RemoveProject", { id: ours });
      await v1("RemoveProject", { id: theirs }, { "x-service-orgid": other });
    });

    await t.test("RemoveProjectGrant", () =>
      perform(managed, {
        method: "RemoveProjectGrant",
        request: { projectId, grantId },
        names: ["projectId", "grantId"],
        effect: grants,
        expected: [],
        again: { refused: "project_grant.not_found" },
      }),
    );
  });
});
