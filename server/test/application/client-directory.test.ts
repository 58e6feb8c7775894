import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { matchesHash } from "../../src/base/secret.ts";
import {
  changeApplicationState,
  createApplicationInProject,
  createClientDirectory,
  generateClientSecret,
  type NewApplication,
} from "../../src/domain/application/index.ts";
import { refuseEndOfHome } from "../../src/domain/membership/index.ts";
import { deactivateOrganization } from "../../src/domain/organization/index.ts";
import { changeProjectState, updateProject } from "../../src/domain/project/index.ts";
import { updateApplication } from "../../src/domain/registration/index.ts";
import { eachEngine, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { type Fixtures, fixturesOf, makeFixtures } from "../support/operations/fixtures.ts";

const web = (name: string): NewApplication => ({
  name,
  kind: "oidc",
  configuration: { redirectUris: ["https://app.example.com/cb"] },
});

async function makeClient(fixtures: Fixtures) {
  const organization = await fixtures.organization("Acme");
  const project = await fixtures.project(organization);
  const create = (input: NewApplication) =>
    createApplicationInProject(fixtures, fixtures.owner, { ...input, projectId: project.projectId });
  return { organization, project, create, ...(await create(web("Shop"))) };
}

eachEngine((open) => {
  test("a client knows its application, project and siblings", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { application, clientSecret, project, organization, create } = await makeClient(fixtures);
    const api = await create({ name: "API", kind: "api", configuration: { authMethod: "private_key_jwt" } });
    const clients = createClientDirectory(fixtures);
    const client = await clients.find("instance-1", application.clientId);
    assert.ok(client !== undefined && clientSecret !== undefined);
    assert.ok(matchesHash(clientSecret, client.secretHash ?? ""));
    assert.equal(client.applicationId, application.applicationId);
    assert.equal(client.organizationId, organization.organizationId);
    assert.equal(client.kind, "confidential");
    assert.deepEqual([...client.grantTypes], ["authorization_code"]);
    assert.deepEqual([...client.siblingClientIds].sort(), [application.clientId, api.application.clientId].sort());
    assert.deepEqual(client.audience, [...client.siblingClientIds, project.projectId]);
    assert.equal(client.isActive, true);
    assert.equal(await clients.find("instance-2", application.clientId), undefined);
    assert.equal(await clients.find("instance-1", application.applicationId), undefined);
    const apiClient = await clients.find("instance-1", api.application.clientId);
    assert.equal(apiClient?.authMethod, "private_key_jwt");
    assert.equal(apiClient?.grantTypes.size, 0);
    assert.equal(apiClient?.secretHash, undefined);
  });

  test("clients are kept up to a sum of what their tenants stored", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { create, application: small } = await makeClient(fixtures);
    const redirectUris = Array.from({ length: 10 }, (_, index) => `https://app.example.com/${index}`.padEnd(1000, "a"));
    const large = [];
    for (const name of ["A", "B", "C"])
      large.push(await create({ name, kind: "oidc", configuration: { redirectUris } }));
    const clients = createClientDirectory({ ...fixtures, mostCharacters: 25_000 });
    const isKept = (clientId: string): boolean => !(clients.find("instance-1", clientId) instanceof Promise);
    const ids = [small, ...large.map(({ application }) => application)].map(({ clientId }) => clientId);
    for (const id of ids) assert.ok(await clients.find("instance-1", id));
    assert.deepEqual(ids.toReversed().map(isKept), [true, true, false, false]);
    const all = createClientDirectory(fixtures);
    for (const id of ids) assert.ok(await all.find("instance-1", id));
    assert.ok(ids.every((id) => !(all.find("instance-1", id) instanceof Promise)));
  });

  test("a hit is answered at once with the same object", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { application } = await makeClient(fixtures);
    const clients = createClientDirectory(fixtures);
    const first = await clients.find("instance-1", application.clientId);
    assert.equal(clients.find("instance-1", application.clientId), first);
    assert.ok(Object.isFrozen(first));
  });

  test("what changes a client is seen by the next request", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const { application, project, organization, create } = await makeClient(fixtures);
    const clients = createClientDirectory(fixtures);
    const find = async () => {
      const client = await clients.find("instance-1", application.clientId);
      assert.ok(client !== undefined);
      return client;
    };
    const { secretHash } = await find();
    await generateClientSecret(fixtures, owner, application);
    assert.notEqual((await find()).secretHash, secretHash);
    const sibling = await create(web("Second"));
    assert.ok((await find()).siblingClientIds.includes(sibling.application.clientId));
    await updateApplication({ database }, owner, {
      ...application,
      configuration: { kind: "oidc", fields: { isAudienceNarrow: true } },
    });
    assert.deepEqual((await find()).audience, [application.clientId]);
    await changeApplicationState({ database }, owner, { ...application, state: "inactive" });
    assert.equal((await find()).isActive, false);
    await changeApplicationState({ database }, owner, { ...application, state: "active" });
    assert.equal((await find()).isActive, true);
    await changeProjectState({ database }, owner, { projectId: project.projectId, state: "inactive" });
    assert.equal((await find()).isActive, false);
    await changeProjectState({ database }, owner, { projectId: project.projectId, state: "active" });
    await updateProject({ database }, owner, { projectId: project.projectId, isAuthorizationRequired: true });
    assert.equal((await find()).isAuthorizationRequired, true);
    await deactivateOrganization({ database, refuseEndOfHome }, owner, organization.organizationId);
    assert.equal((await find()).isActive, false);
  });

  test("the number of cached clients is limited", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { create, application } = await makeClient(fixtures);
    const second = (await create(web("Second"))).application;
    const third = (await create(web("Third"))).application;
    const clients = createClientDirectory({ database: fixtures.database, maximum: 2 });
    for (const { clientId } of [application, second, third]) await clients.find("instance-1", clientId);
    const again = clients.find("instance-1", application.clientId);
    assert.ok(again instanceof Promise);
    await again;
    assert.ok(!(clients.find("instance-1", third.clientId) instanceof Promise));
  });
});

onPostgres((open) => {
  test("another node sees the change within a second", async (t) => {
    const at = await makeLocation(t, "postgres");
    const here = fixturesOf(await open(t, { at }));
    const there = createClientDirectory({ database: await open(t, { at }) });
    const { application, project } = await makeClient(here);
    assert.equal((await there.find("instance-1", application.clientId))?.isActive, true);
    const until = performance.now() + 1000;
    await changeProjectState(here, here.owner, { projectId: project.projectId, state: "inactive" });
    while ((await there.find("instance-1", application.clientId))?.isActive === true) {
      assert.ok(performance.now() < until, "still active after a second");
      await sleep(10);
    }
  });
});
