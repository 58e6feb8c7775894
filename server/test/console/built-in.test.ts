import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { makeBuild } from "../support/servers/console-build.ts";
import { eachTopology, race } from "../support/servers/nodes.ts";
import { startServer } from "../support/servers/server.ts";
import { callWith, consoleToken, openConsole, signedInBrowser, startConsole } from "./support.ts";

const applications = "service.application.v2.ApplicationService";
const earlier = "service.app.v2beta.AppService";
const management = "service.management.v1.ManagementService";

/** The application of the console, as the API shows it. */
async function find(server: OidcServer, clientId: string) {
  const { body } = await server.connect(`${applications}/ListApplications`, {});
  const found = body.applications.filter((one: { name: string }) => one.name.startsWith("Console"));
  assert.deepEqual(
    found.map((one: { oidcConfiguration: { clientId: string } }) => one.oidcConfiguration.clientId),
    [clientId],
  );
  return found[0] as { applicationId: string; projectId: string; name: string; oidcConfiguration: object };
}

eachEngine((_open, engine) => {
  test("no method of any generation changes, deactivates or deletes the console's application", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const made = await find(server, clientId);
    const { applicationId, projectId } = made;
    const ids = { projectId, applicationId };
    const v1 = { projectId, appId: applicationId };
    const beta = { projectId, id: applicationId };
    const stranger = { redirectUris: ["https://evil.example/callback"] };
    const codes = { responseTypes: ["OIDC_RESPONSE_TYPE_CODE"], grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"] };
    for (const [method, request] of [
      [`${applications}/UpdateApplication`, { ...ids, name: "Renamed" }],
      [`${applications}/UpdateApplication`, { ...ids, oidcConfiguration: stranger }],
      [`${applications}/UpdateApplication`, { ...ids, oidcConfiguration: { dpopBoundAccessTokens: false } }],
      [`${applications}/DeactivateApplication`, ids],
      [`${applications}/ReactivateApplication`, ids],
      [`${applications}/GenerateClientSecret`, ids],
      [`${applications}/CreateApplicationKey`, { ...ids, expirationDate: "2100-01-01T00:00:00Z" }],
      [`${applications}/DeleteApplicationKey`, { ...ids, keyId: "1" }],
      [`${applications}/DeleteApplication`, ids],
      [`${earlier}/UpdateApplication`, { ...beta, name: "Renamed" }],
      [`${earlier}/UpdateApplication`, { ...beta, oidcConfigurationRequest: stranger }],
      [`${earlier}/DeactivateApplication`, beta],
      [`${earlier}/ReactivateApplication`, beta],
      [`${earlier}/RegenerateClientSecret`, { projectId, applicationId, isOidc: true }],
      [`${earlier}/CreateApplicationKey`, { projectId, appId: applicationId, expirationDate: "2100-01-01T00:00:00Z" }],
      [`${earlier}/DeleteApplicationKey`, { projectId, applicationId, id: "1" }],
      [`${earlier}/DeleteApplication`, beta],
      [`${management}/UpdateApp`, { ...v1, name: "Renamed" }],
      [`${management}/UpdateOIDCAppConfig`, { ...v1, ...stranger, ...codes }],
      [`${management}/UpdateAPIAppConfig`, { ...v1, authMethodType: "API_AUTH_METHOD_TYPE_BASIC" }],
      [`${management}/DeactivateApp`, v1],
      [`${management}/ReactivateApp`, v1],
      [`${management}/RegenerateOIDCClientSecret`, v1],
      [`${management}/RegenerateAPIClientSecret`, v1],
      [`${management}/AddAppKey`, { ...v1, type: "KEY_TYPE_JSON", expirationDate: "2100-01-01T00:00:00Z" }],
      [`${management}/RemoveAppKey`, { ...v1, keyId: "1" }],
      [`${management}/RemoveApp`, v1],
    ] as const) {
      const { status, body } = await server.connect(method, request);
      assert.equal(status, 400, `${method}: ${JSON.stringify(body)}`);
      assert.match(JSON.stringify(body), /application\.built_in/, `${method} ${JSON.stringify(request)}`);
    }
    const saml = { ...v1, metadataUrl: "https://evil.example/metadata" };
    assert.equal((await server.connect(`${management}/UpdateSAMLAppConfig`, saml)).status, 400);
    assert.deepEqual(await find(server, clientId), made);
    const token = await consoleToken(server, await signedInBrowser(server), clientId);
    assert.equal((await callWith(server, token, "/v2/users", {})).status, 200);
  });

  test("its project and its organization stay", async (t) => {
    const server = await startConsole(t, { engine });
    const { projectId } = await find(server, await openConsole(server));
    for (const [method, request] of [
      ["service.project.v2.ProjectService/DeleteProject", { projectId }],
      ["service.project.v2.ProjectService/DeactivateProject", { projectId }],
      ["service.org.v2.OrganizationService/DeleteOrganization", { organizationId: server.organizationId }],
      ["service.org.v2.OrganizationService/DeactivateOrganization", { organizationId: server.organizationId }],
    ] as const) {
      assert.equal((await server.connect(method, request)).status, 400, method);
    }
  });

  test("an application that has its name keeps it", async (t) => {
    const server = await startConsole(t, { engine });
    const { body } = await server.rest("GET", "/management/v1/iam");
    const named = { projectId: body.iamProjectId, name: "Console", apiConfiguration: {} };
    assert.equal((await server.connect(`${applications}/CreateApplication`, named)).status, 200);
    const clientId = await openConsole(server);
    assert.equal(await openConsole(server), clientId);
    const token = await consoleToken(server, await signedInBrowser(server), clientId);
    assert.equal((await callWith(server, token, "/v2/users", {})).status, 200);
  });

  test("an application that is gone is made anew", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const { applicationId } = await find(server, clientId);
    const { domain } = server.app;
    const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
    // As a node of a former version deletes it, to which it is an application like others.
    await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
      tx.run(sql`delete from applications where instance_id = ${instanceId} and application_id = ${applicationId}`),
    );
    const clientIds = new Set(await Promise.all([1, 2, 3, 4].map(() => openConsole(server))));
    assert.equal(clientIds.size, 1);
    assert.ok(!clientIds.has(clientId));
    const token = await consoleToken(server, await signedInBrowser(server), [...clientIds][0] ?? "");
    assert.equal((await callWith(server, token, "/v2/users", {})).status, 200);
  });

  test("an export of an organization leaves it out, and an import does not change it", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const made = await find(server, clientId);
    const ordinary = await server.createClient({}, made.projectId);
    const { status, body } = await server.connect("service.admin.v1.AdminService/ExportData", { responseOutput: true });
    assert.equal(status, 200, JSON.stringify(body));
    const exported = body.orgs.flatMap((org: { oidcApps?: { appId: string }[] }) => org.oidcApps ?? []);
    const ids = exported.map(({ appId }: { appId: string }) => appId);
    assert.ok(ids.includes(ordinary.applicationId), "an application beside it is exported");
    assert.ok(!ids.includes(made.applicationId));
    const app = { projectId: made.projectId, name: "Console", redirectUris: ["https://evil.example/callback"] };
    const orgs = [{ orgId: server.organizationId, oidcApps: [{ appId: made.applicationId, app }] }];
    await server.connect("service.admin.v1.AdminService/ImportData", { dataOrgs: { orgs } });
    assert.deepEqual(await find(server, clientId), made);
  });

  test("where the operator turns the console off, its tokens end and nothing is served", async (t) => {
    const consoleDirectory = makeBuild(t);
    const server = await startOidcServer(t, { engine, consoleDirectory });
    const clientId = await openConsole(server);
    const browser = await signedInBrowser(server);
    const token = await consoleToken(server, browser, clientId);
    const { location, ownerToken, origin } = server;
    await server.app.close();
    const config = { baseUrl: origin, isConsoleOn: false };
    const off = await startServer(t, { location, ownerToken, consoleDirectory, config });
    for (const path of [
      "/ui/console",
      "/ui/console/",
      "/ui/console/users",
      "/ui/console/return",
      "/ui/console/assets/x",
    ]) {
      assert.equal((await off.rest("GET", path, { token: null })).status, 404, path);
    }
    const there = { ...server, rest: off.rest, origin };
    assert.equal((await callWith(there, token, "/v2/users", {})).status, 401);
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${origin}/ui/console/return` });
    assert.equal((await off.rest("GET", `/oauth/v2/authorize?${query}`, { token: null })).status, 400);
    await off.app.close();
    const on = await startServer(t, { location, ownerToken, consoleDirectory, config: { baseUrl: origin } });
    assert.equal((await callWith({ ...there, rest: on.rest }, token, "/v2/users", {})).status, 200);
  });
});

eachTopology((start) => {
  test("browsers that open the console at once make one application", async (t) => {
    const consoleDirectory = makeBuild(t);
    const cluster = await start(t, { consoleDirectory });
    const { first } = cluster;
    const clientIds = new Set(await race(12, cluster, (node) => openConsole(node)));
    assert.equal(clientIds.size, 1);
    await find(first, [...clientIds][0] ?? "");
  });
});
