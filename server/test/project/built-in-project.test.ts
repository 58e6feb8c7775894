import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { makeServiceAccount } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const projects = "project.v2.ProjectService";
const applications = "application.v2.ApplicationService";
const management = "management.v1.ManagementService";

eachServer((start) => {
  test("only administrators of the instance change its built-in project (M2)", async (t) => {
    const server = await start(t);
    const ask = (method: string, body: object, token: string, organizationId?: string) => {
      const headers = organizationId === undefined ? {} : { headers: { "x-service-orgid": organizationId } };
      return server.connect(`service.${method}`, body, { token, ...headers });
    };
    const organizationId = await defaultOrganization(server);
    const otherId = await addOrganization(server, "Other");
    const tenant = await makeServiceAccount(server, organizationId, "tenant");
    await appoint(server, tenant, { organizationId }, ["ORG_OWNER"]);
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const projectId = instance?.systemProjectId ?? "";
    const manager = await makeServiceAccount(server, organizationId, "manager");
    await appoint(server, manager, { instance: true }, ["IAM_ORG_MANAGER"]);
    const inside = await makeServiceAccount(server, organizationId, "inside");
    await appoint(server, inside, { projectId }, ["PROJECT_OWNER"]);
    const oidcConfiguration = { redirectUris: ["https://console.example/cb"] };
    const console = { projectId, name: "Console", oidcConfiguration };
    const made = await ask(`${applications}/CreateApplication`, console, server.ownerToken);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { applicationId } = made.body;

    const role = { projectId, roleKey: "reader", displayName: "Reader" };
    const writes: readonly (readonly [method: string, body: object])[] = [
      [`${projects}/UpdateProject`, { projectId, projectAccessRequired: true, authorizationRequired: true, name: "x" }],
      [`${projects}/DeactivateProject`, { projectId }],
      [`${projects}/DeleteProject`, { projectId }],
      [`${projects}/AddProjectRole`, role],
      [`${projects}/CreateProjectGrant`, { projectId, grantedOrganizationId: otherId, roleKeys: [] }],
      [`${applications}/CreateApplication`, { ...console, name: "Inner" }],
      [`${applications}/UpdateApplication`, { projectId, applicationId, name: "Renamed" }],
      [`${applications}/DeactivateApplication`, { projectId, applicationId }],
      [`${applications}/DeleteApplication`, { projectId, applicationId }],
      [`${management}/UpdateProject`, { id: projectId, name: "x" }],
      [`${management}/AddProjectRole`, role],
      [`${management}/DeactivateApp`, { projectId, appId: applicationId }],
      ["authorization.v2.AuthorizationService/CreateAuthorization", { userId: tenant.userId, projectId, roleKeys: [] }],
      [
        "internal_permission.v2.InternalPermissionService/CreateAdministrator",
        { userId: tenant.userId, resource: { projectId }, roles: ["PROJECT_OWNER"] },
      ],
    ];
    for (const { token } of [tenant, manager, inside]) {
      for (const [method, body] of writes) {
        const answer = await ask(method, body, token, organizationId);
        assert.notEqual(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
        assert.match(slugOf(answer) ?? "", /^permission\.missing$|not_found$/, method);
      }
    }
    const read = await ask(`${projects}/GetProject`, { projectId }, tenant.token);
    assert.equal(read.status, 200, "the owner of the organization still reads it");

    // The same owner has every other project of the organization; the instance's owner has this one.
    const own = await ask(`${projects}/CreateProject`, { organizationId, name: "Own" }, tenant.token);
    const ownId = own.body.projectId;
    const changed = await ask(
      `${projects}/UpdateProject`,
      { projectId: ownId, authorizationRequired: true },
      tenant.token,
    );
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    for (const [method, body] of [writes[3], writes[6], writes[7]].filter((write) => write !== undefined)) {
      const answer = await ask(method, body, server.ownerToken);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    }
  });

  test("a provider of an owner who cannot change the built-in project signs its owners not in (M2)", async (t) => {
    const server = await start(t);
    const trust = createTrust(server);
    const organizationId = await defaultOrganization(server);
    const clerk = await addPerson(server, { username: "clerk" });
    await appoint(server, clerk, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, clerk);
    const instance = await server.app.domain.findInstanceByHost("localhost");
    const own = { organizationId, name: "Own" };
    const made = await server.connect(`service.${projects}/CreateProject`, own, { token });
    const provider = await startTestProvider(t, () => server.clock.now);
    for (const by of ["clerk", "owner"] as const) {
      const idpId = await trust.addTo(organizationId, by === "clerk" ? token : undefined, bodyAt(provider));
      for (const [sub, projectId] of [
        [`usual-${by}`, made.body.projectId],
        [`built-in-${by}`, instance?.systemProjectId],
      ] as const) {
        const person = await addPerson(server, { username: sub });
        await appoint(server, person, { projectId }, ["PROJECT_OWNER"]);
        await trust.writeLink(person.userId, idpId, sub);
        provider.user = { ...provider.user, sub, email: `${sub}@mail.example` };
        const page = await trust.throughPages(organizationId, idpId, provider);
        assert.equal(isIn(page), sub !== "built-in-clerk", `${sub}: ${page.address}`);
      }
    }
  });
});
