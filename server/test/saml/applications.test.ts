import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { addOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addProject, consumer, metadataOf, newEntityId, partnerKey, register } from "./support.ts";

const service = "service.application.v2.ApplicationService";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const read = async (server: TestServer, applicationId: string) =>
  (await server.connect(`${service}/GetApplication`, { applicationId })).body.application;

/** A server that serves metadata. */
function serve(receiver: Receiver, xml: string, status = 200): void {
  receiver.answer = (_, response) => void response.writeHead(status).end(xml);
}

eachServer((start) => {
  test("both versions create, read, list and change SAML applications", async (t) => {
    const server = await start(t);
    const projectId = await addProject(server);
    const entityId = newEntityId();
    const metadata = metadataOf({ entityId });
    const added = await server.rest("POST", `/management/v1/projects/${projectId}/apps/saml`, {
      body: { name: "Old shop", metadataXml: base64(metadata) },
    });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const { appId } = added.body;
    const app = (await server.rest("GET", `/management/v1/projects/${projectId}/apps/${appId}`)).body.app;
    assert.equal(app.name, "Old shop");
    assert.equal(Buffer.from(app.samlConfig.metadataXml, "base64").toString(), metadata);
    assert.equal(app.samlConfig.entityId, entityId);
    const second = await register(server, {}, { projectId, loginVersion: { loginV1: {} } });
    const one = await read(server, second.applicationId);
    assert.equal(one.samlConfiguration.entityId, second.entityId);
    assert.deepEqual(one.samlConfiguration.loginVersion, { loginV1: {} });
    assert.equal(Buffer.from(one.samlConfiguration.metadataXml, "base64").toString(), second.metadata);
    assert.equal(one.samlConfiguration.options.nameId, "SAML_NAME_ID_REQUESTED");
    const list = async (filters: object[]): Promise<string[]> =>
      (await server.connect(`${service}/ListApplications`, { filters })).body.applications?.map(
        ({ applicationId }: { applicationId: string }) => applicationId,
      ) ?? [];
    const ids = [appId, second.applicationId].toSorted();
    assert.deepEqual((await list([{ typeFilter: "APPLICATION_TYPE_SAML" }])).toSorted(), ids);
    assert.deepEqual(await list([{ entityIdFilter: { entityId: second.entityId } }]), [second.applicationId]);
    assert.deepEqual(await list([{ entityIdFilter: { entityId: "https://other.example" } }]), []);

    const changed = await server.rest("PUT", `/management/v1/projects/${projectId}/apps/${appId}/saml_config`, {
      body: {
        options: {
          nameId: "SAML_NAME_ID_PERSISTENT",
          requireSignedRequests: true,
          attributes: { attributes: [{ name: "mail", source: "SAML_ATTRIBUTE_SOURCE_EMAIL" }] },
        },
      },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { options } = (await read(server, appId)).samlConfiguration;
    assert.equal(options.nameId, "SAML_NAME_ID_PERSISTENT");
    assert.equal(options.requireSignedRequests, true);
    assert.equal(options.attributes.attributes[0].name, "mail");
    // What is absent stays.
    await server.connect(`${service}/UpdateApplication`, {
      applicationId: appId,
      projectId,
      samlConfiguration: { options: { allowIdpInitiated: true } },
    });
    const after = (await read(server, appId)).samlConfiguration;
    assert.deepEqual([after.options.nameId, after.options.allowIdpInitiated], ["SAML_NAME_ID_PERSISTENT", true]);
    assert.equal(after.entityId, entityId);
    // Events have neither the metadata nor the salt of identifiers.
    const events = JSON.stringify(await recordedEvents(server));
    assert.ok(events.includes(entityId));
    assert.ok(!events.includes("nameIdSalt") && !events.includes("EntityDescriptor"));
  });

  test("an entity id belongs to one application, and administrators of the instance give it to another after that", async (t) => {
    const server = await start(t);
    const first = await register(server);
    const organizationId = await addOrganization(server, "Elsewhere");
    const projectId = await addProject(server, { organizationId });
    const create = () =>
      server.connect(`${service}/CreateApplication`, {
        projectId,
        name: "Copy",
        samlConfiguration: { metadataXml: base64(first.metadata) },
      });
    const taken = await create();
    assert.equal(taken.body.details[0].debug.id, "application.entity_id_taken");
    const moved = await server.connect(`${service}/UpdateApplication`, {
      applicationId: first.applicationId,
      projectId: first.projectId,
      samlConfiguration: { metadataXml: base64(metadataOf({ entityId: newEntityId() })) },
    });
    assert.equal(moved.status, 200);
    const copied = await create();
    assert.equal(copied.status, 200);
    await server.connect(`${service}/DeleteApplication`, { projectId, applicationId: copied.body.applicationId });
    assert.equal((await create()).status, 200);
  });

  test("metadata that is no use is refused with a reason", async (t) => {
    const server = await start(t);
    const projectId = await addProject(server);
    const entityId = newEntityId();
    const key = await partnerKey();
    const good = metadataOf({ entityId });
    const bad: Readonly<Record<string, string>> = {
      malformed: "<a>",
      forbidden_markup: `<!DOCTYPE a [<!ENTITY b "c">]>${good}`,
      insecure_location: metadataOf({ entityId, consumers: ["http://sp.example/acs"] }),
      metadata: metadataOf({ entityId, consumers: ["javascript:alert(1)"] }),
      metadata_expired: metadataOf({ entityId, further: ' validUntil="2020-01-01T00:00:00Z"' }),
      no_assertion_consumer: metadataOf({ entityId, consumers: [] }),
      no_service_provider: good.replaceAll("SPSSODescriptor", "IDPSSODescriptor"),
    };
    const send = (samlConfiguration: object) =>
      server.connect(`${service}/CreateApplication`, { projectId, name: "Shop", samlConfiguration });
    for (const [reason, xml] of Object.entries(bad)) {
      const { status, body } = await send({ metadataXml: base64(xml) });
      assert.equal(status, 400, reason);
      assert.ok(JSON.stringify(body).includes(`(${reason})`), `${reason}: ${JSON.stringify(body)}`);
    }
    for (const nothing of [{}, { metadataXml: "" }, { metadataUrl: "" }])
      assert.equal((await send(nothing)).status, 400);
    const wants = { metadataXml: base64(good), options: { encryptAssertions: true } };
    assert.equal((await send(wants)).status, 400);
    const twice = [1, 2].map(() => ({ name: "mail", source: "SAML_ATTRIBUTE_SOURCE_EMAIL" }));
    assert.equal(
      (await send({ metadataXml: base64(good), options: { attributes: { attributes: twice } } })).status,
      400,
    );
    assert.equal((await send({ metadataXml: base64(good) })).status, 200);
    const encryptable = metadataOf({ entityId: newEntityId(), encryption: key.der });
    const encrypted = { metadataXml: base64(encryptable), options: { encryptAssertions: true } };
    assert.equal(
      (await server.connect(`${service}/CreateApplication`, { projectId, name: "Other", samlConfiguration: encrypted }))
        .status,
      200,
    );
  });

  test("metadata at an address is fetched, again by a job, and again when an administrator names it", async (t) => {
    const server = await start(t);
    const receiver = await startReceiver(t);
    const projectId = await addProject(server);
    const entityId = newEntityId();
    serve(receiver, metadataOf({ entityId }));
    const samlConfiguration = { metadataUrl: `${receiver.origin}/metadata` };
    const created = await server.connect(`${service}/CreateApplication`, {
      projectId,
      name: "Shop",
      samlConfiguration,
    });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const { applicationId } = created.body;
    const configuration = async () => (await read(server, applicationId)).samlConfiguration;
    assert.equal((await configuration()).metadataUrl, samlConfiguration.metadataUrl);
    const tickUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
      for (let round = 0; round < 60 && !(await isDone()); round++) {
        server.clock.now += 30 * 60_000;
        await server.app.jobs.tick();
        await wait(10);
      }
      assert.ok(await isDone());
    };
    const other = metadataOf({ entityId, consumers: [consumer, "https://sp.example/other"] });
    serve(receiver, other);
    const textOf = async (): Promise<string> => Buffer.from((await configuration()).metadataXml, "base64").toString();
    await tickUntil(async () => (await textOf()) === other);
    serve(receiver, "gone", 404);
    await tickUntil(async () => (await configuration()).metadataFailure === "status_404");
    assert.equal(await textOf(), other);
    const third = metadataOf({ entityId, consumers: [consumer, "https://sp.example/third"] });
    serve(receiver, third);
    const update = () =>
      server.connect(`${service}/UpdateApplication`, { projectId, applicationId, samlConfiguration });
    assert.equal((await update()).status, 200);
    assert.equal(await textOf(), third);
    assert.equal((await configuration()).metadataFailure ?? "", "");
    serve(receiver, "no", 500);
    assert.equal((await update()).status, 400);
    assert.equal(await textOf(), third);
    // A caller without the right has nothing fetched.
    const before = receiver.received.length;
    const stranger = { projectId: "1", name: "Shop", samlConfiguration };
    assert.equal((await server.connect(`${service}/CreateApplication`, stranger)).status, 404);
    assert.equal(receiver.received.length, before);
    const plain = { metadataUrl: "http://sp.example/metadata" };
    assert.equal(
      (await server.connect(`${service}/CreateApplication`, { projectId, name: "Plain", samlConfiguration: plain }))
        .status,
      400,
    );
  });

  test("a SAML application is no OAuth client", async (t) => {
    const server = await start(t);
    const { applicationId, projectId } = await register(server);
    const key = await server.connect(`${service}/CreateApplicationKey`, { projectId, applicationId });
    assert.equal(key.status, 400);
    assert.equal((await server.connect(`${service}/GenerateClientSecret`, { projectId, applicationId })).status, 400);
    const application = JSON.stringify(await read(server, applicationId));
    assert.ok(!application.includes("clientId"));
  });
});
