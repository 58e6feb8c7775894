import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createOrganization } from "../../src/domain/organization/index.ts";
import { createMachineUser } from "../../src/domain/user-management/index.ts";
import { testCall } from "../support/operations/call.ts";
import { type ServerOptions, startServer } from "../support/servers/server.ts";

const authorizationService = "service.authorization.v2.AuthorizationService";

/**
 * A server with the first organization and a second one, Partner, and a short way to call methods that must succeed.
 */
async function start(t: TestContext, engine: NonNullable<ServerOptions["engine"]>) {
  const server = await startServer(t, { engine });
  const { domain } = server.app;
  const instance = (await domain.findInstanceByHost("localhost")) ?? assert.fail("no instance");
  const { instanceId, defaultOrganizationId: organizationId } = instance;
  const setup = testCall({ instanceId, now: server.clock.now });
  const make = <Made>(work: Parameters<typeof domain.database.change<Made>>[1]) => domain.database.change(setup, work);
  const partner = await make((tx) => createOrganization(tx, domain, { name: "Partner", instanceHost: "localhost" }));
  const user = await make((tx) => createMachineUser(tx, domain, { organizationId, username: "ada", name: "Ada" }));
  const raw = (method: string, body: object) =>
    server.connect(method.includes("/") ? method : `service.project.v2.ProjectService/${method}`, body);
  const call = async (method: string, body: object) => {
    const answer = await raw(method, body);
    assert.equal(answer.status, 200, `${method} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const grantedOrganizationId = partner.organizationId;
  return { instance, organizationId, grantedOrganizationId, userId: user.userId, raw, call };
}

for (const engine of ["sqlite", "postgres"] as const) {
  test(`projects and roles are managed over the wire (${engine})`, async (t) => {
    const { organizationId, instance, raw, call } = await start(t, engine);
    const { projectId } = await call("CreateProject", { organizationId, name: "Shop", projectRoleAssertion: true });
    const privateLabelingSetting = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY";
    await call("UpdateProject", { projectId, privateLabelingSetting });
    await call("DeactivateProject", { projectId });
    assert.equal((await call("GetProject", { projectId })).project.state, "PROJECT_STATE_INACTIVE");
    await call("ActivateProject", { projectId });
    const { project } = await call("GetProject", { projectId });
    assert.deepEqual(
      { ...project, creationDate: "", changeDate: "" },
      {
        projectId,
        organizationId,
        name: "Shop",
        state: "PROJECT_STATE_ACTIVE",
        projectRoleAssertion: true,
        privateLabelingSetting,
        creationDate: "",
        changeDate: "",
      },
    );
    for (const roleKey of ["writer", "reader"]) {
      await call("AddProjectRole", { projectId, roleKey, displayName: roleKey, group: "all" });
    }
    const duplicate = await raw("AddProjectRole", { projectId, roleKey: "reader", displayName: "R" });
    assert.equal(duplicate.body.code, "already_exists");
    await call("UpdateProjectRole", { projectId, roleKey: "reader", displayName: "Reader" });
    const roles = async (filters: object[]) => {
      const sortingColumn = "PROJECT_ROLE_FIELD_NAME_KEY";
      const listed = await call("ListProjectRoles", { projectId, sortingColumn, filters, pagination: { asc: true } });
      return listed.projectRoles?.map(({ key, displayName, group }: Record<string, string>) => [
        key,
        displayName,
        group,
      ]);
    };
    const displayName = "READ";
    assert.deepEqual(await roles([]), [
      ["reader", "Reader", "all"],
      ["writer", "writer", "all"],
    ]);
    const method = "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE";
    assert.deepEqual(await roles([{ displayNameFilter: { displayName, method } }]), [["reader", "Reader", "all"]]);
    assert.ok((await call("RemoveProjectRole", { projectId, roleKey: "reader" })).removalDate);
    assert.deepEqual(await call("RemoveProjectRole", { projectId, roleKey: "reader" }), {});
    for (const method of ["DeleteProject", "DeactivateProject"]) {
      const system = await raw(method, { projectId: instance.systemProjectId });
      assert.equal(system.body.details[0].debug.id, "project.is_system", method);
    }
    assert.ok((await call("DeleteProject", { projectId })).deletionDate);
    assert.equal((await raw("GetProject", { projectId })).body.code, "not_found");
  });

  test(`a project is lent, and listed on both sides (${engine})`, async (t) => {
    const { organizationId, grantedOrganizationId, raw, call } = await start(t, engine);
    const { projectId } = await call("CreateProject", { organizationId, name: "Shop" });
    await call("AddProjectRole", { projectId, roleKey: "reader", displayName: "Reader" });
    const grant = { projectId, grantedOrganizationId };
    await call("CreateProjectGrant", { ...grant, roleKeys: ["reader"] });
    assert.equal((await raw("CreateProjectGrant", { ...grant, roleKeys: [] })).body.code, "already_exists");
    const toOwner = await raw("CreateProjectGrant", { projectId, grantedOrganizationId: organizationId, roleKeys: [] });
    assert.equal(toOwner.body.code, "invalid_argument");
    const projects = async (filters: object[]) =>
      (await call("ListProjects", { filters })).projects?.map((project: Record<string, string>) => [
        project["projectId"],
        project["grantedOrganizationId"],
      ]);
    const ids = { inProjectIdsFilter: { ids: [projectId] } };
    const of = (id: string, type: string) => [ids, { organizationIdFilter: { organizationId: id, type } }];
    assert.equal((await projects([ids])).length, 2);
    assert.deepEqual(await projects(of(organizationId, "OWNED")), [[projectId, undefined]]);
    assert.equal(await projects(of(organizationId, "GRANTED")), undefined);
    assert.deepEqual(await projects(of(grantedOrganizationId, "GRANTED")), [[projectId, grantedOrganizationId]]);
    assert.deepEqual(await projects(of(grantedOrganizationId, "OWNED_OR_GRANTED")), [
      [projectId, grantedOrganizationId],
    ]);
    assert.deepEqual(await projects([ids, { projectNameFilter: { projectName: "shop" } }]), undefined);

    await call("DeactivateProjectGrant", grant);
    const roleKeyFilter = { key: "read", method: "TEXT_FILTER_METHOD_STARTS_WITH" };
    const { projectGrants } = await call("ListProjectGrants", {
      filters: [{ grantedOrganizationIdFilter: { id: grantedOrganizationId } }, { roleKeyFilter }],
    });
    assert.equal(projectGrants.length, 1);
    assert.equal(projectGrants[0].state, "PROJECT_GRANT_STATE_INACTIVE");
    assert.deepEqual(projectGrants[0].grantedRoleKeys, ["reader"]);
    assert.equal(projectGrants[0].projectName, "Shop");
    assert.equal(projectGrants[0].grantedOrganizationName, "Partner");
    await call("ActivateProjectGrant", grant);
    await call("UpdateProjectGrant", { ...grant, roleKeys: [] });
    assert.equal((await raw("UpdateProjectGrant", { ...grant, roleKeys: ["x"] })).body.code, "failed_precondition");
    assert.ok((await call("DeleteProjectGrant", grant)).deletionDate);
    assert.deepEqual(await call("DeleteProjectGrant", grant), {});
    assert.equal((await raw("ActivateProjectGrant", grant)).body.code, "not_found");
  });

  test(`roles are assigned over the wire (${engine})`, async (t) => {
    const { organizationId, grantedOrganizationId, userId, raw, call } = await start(t, engine);
    const { projectId } = await call("CreateProject", { organizationId, name: "Shop" });
    await call("AddProjectRole", { projectId, roleKey: "reader", displayName: "Reader", group: "all" });
    await call("CreateProjectGrant", { projectId, grantedOrganizationId, roleKeys: ["reader"] });
    const assign = (given: object) => ({ userId, projectId, roleKeys: ["reader"], ...given });
    // Left out, the organization is that of the project.
    const owned = await call(`${authorizationService}/CreateAuthorization`, assign({}));
    const lent = await call(
      `${authorizationService}/CreateAuthorization`,
      assign({ organizationId: grantedOrganizationId }),
    );
    const again = await raw(`${authorizationService}/CreateAuthorization`, assign({ organizationId }));
    assert.equal(again.body.code, "already_exists");
    const list = async (filters: object[], given: object = {}) =>
      (await call(`${authorizationService}/ListAuthorizations`, { filters, ...given })).authorizations ?? [];
    const [row] = await list([{ authorizationIds: { ids: [owned.id] } }]);
    assert.deepEqual(
      { ...row, creationDate: "", changeDate: "" },
      {
        id: owned.id,
        creationDate: "",
        changeDate: "",
        project: { id: projectId, name: "Shop", organizationId },
        organization: { id: organizationId, name: row.organization.name },
        user: { id: userId, preferredLoginName: row.user.preferredLoginName, displayName: "Ada", organizationId },
        state: "STATE_ACTIVE",
        roles: [{ key: "reader", displayName: "Reader", group: "all" }],
      },
    );
    assert.match(row.user.preferredLoginName, /^ada@/);
    const ids = async (filters: object[], given: object = {}) =>
      (await list([{ projectId: { id: projectId } }, ...filters], given)).map(({ id }: { id: string }) => id);
    const name = (method: string, fields: object) => ({ ...fields, method: `TEXT_FILTER_METHOD_${method}` });
    const both = [owned.id, lent.id];
    assert.deepEqual((await ids([])).sort(), both.toSorted());
    assert.deepEqual(await ids([{ organizationId: { id: grantedOrganizationId } }]), [lent.id]);
    assert.equal((await ids([{ inUserIds: { ids: [userId] } }])).length, 2);
    assert.deepEqual(await ids([{ inUserIds: { ids: ["nobody"] } }]), []);
    assert.equal((await ids([{ userOrganizationId: { id: organizationId } }])).length, 2);
    assert.equal((await ids([{ userDisplayName: name("CONTAINS_IGNORE_CASE", { displayName: "AD" }) }])).length, 2);
    assert.equal((await ids([{ userPreferredLoginName: name("STARTS_WITH", { loginName: "ada@" }) }])).length, 2);
    assert.equal((await ids([{ projectName: name("EQUALS", { name: "shop" }) }])).length, 0);
    assert.equal((await ids([{ roleKey: name("ENDS_WITH", { key: "der" }) }])).length, 2);
    for (const asc of [true, false]) {
      const sorted = await ids([], { sortingColumn: "AUTHORIZATION_FIELD_NAME_ID", pagination: { asc } });
      assert.deepEqual(sorted, asc ? both.toSorted() : both.toSorted().reverse());
    }
    await call(`${authorizationService}/DeactivateAuthorization`, { id: lent.id });
    assert.deepEqual(await ids([{ state: { state: "STATE_INACTIVE" } }]), [lent.id]);
    await call(`${authorizationService}/ActivateAuthorization`, { id: lent.id });
    await call(`${authorizationService}/UpdateAuthorization`, { id: lent.id, roleKeys: [] });
    assert.deepEqual(await ids([{ roleKey: name("EQUALS", { key: "reader" }) }]), [owned.id]);
    assert.ok((await call(`${authorizationService}/DeleteAuthorization`, { id: lent.id })).deletionDate);
    assert.deepEqual(await call(`${authorizationService}/DeleteAuthorization`, { id: lent.id }), {});
    const page = await call(`${authorizationService}/ListAuthorizations`, {
      filters: [{ projectId: { id: projectId } }],
      pagination: { offset: 5 },
    });
    assert.equal(page.pagination.totalResult, "1");
  });
}
