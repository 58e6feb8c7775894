import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql } from "../../src/database/index.ts";
import { refusalOf } from "../factor/support.ts";
import { measureReads } from "../support/databases/read-amounts.ts";
import { registered, setRegistration } from "../support/oidc/registration.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const foreign = "notification.url_template_foreign";

/** An organization with a project, and a message to a user of it whose link leads to an origin. */
async function makeOrganization(server: TestServer) {
  const { organizationId, token } = await addOwnedOrganization(server, "Acme");
  const { userId } = await addPerson(server, { username: "eve", organizationId });
  const done = async (method: string, body: object) => {
    const answer = await server.connect(`service.${method}`, body, { token });
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { projectId } = await done("project.v2.ProjectService/CreateProject", { organizationId, name: "Project" });
  const application = (method: string, body: object) =>
    done(`application.v2.ApplicationService/${method}Application`, { projectId, ...body });
  const add = async (name: string, redirectUris: readonly string[]): Promise<string> => {
    const oidcConfiguration = { redirectUris, responseTypes: ["OIDC_RESPONSE_TYPE_CODE"] };
    return (await application("Create", { name, oidcConfiguration })).applicationId;
  };
  const send = (origin: string) => {
    const sendLink = { urlTemplate: `${origin}/reset?code={{.Code}}` };
    return refusalOf(server, "PasswordReset", { userId, sendLink }, token);
  };
  return { application, add, send };
}

const countOrigins = async ({ read }: Database, instanceId: string, applicationId: string): Promise<number> => {
  const [row] = await read.all<{ count: number }>(sql`select count(*) as "count" from application_origins
    where instance_id = ${instanceId} and application_id = ${applicationId}`);
  return row?.count ?? 0;
};

eachServer((start) => {
  test("a refused link of a message costs the same, however many applications have its host in an address", async (t) => {
    const server = await start(t);
    const { add, send } = await makeOrganization(server);
    const reads = measureReads(server.app.domain.database);
    const uris = (name: string) => Array.from({ length: 500 }, (_, n) => `https://shop.acme.example/${name}/${n}`);
    const fill = async (...names: readonly string[]) => {
      for (const name of names) await add(name, uris(name));
      assert.equal(await send("https://acme.example"), foreign);
      return reads.during(async () => assert.equal(await send("https://acme.example"), foreign));
    };
    const few = await fill("a", "b");
    assert.ok(few.statements > 5 && few.rows > 0, JSON.stringify(few));
    assert.deepEqual(await fill("c", "d"), few);
    assert.equal(await send("https://shop.acme.example"), "done", "their own origin");
  });

  test("links of messages lead to the origins that an active application has now, at most a hundred", async (t) => {
    const server = await start(t);
    const { application, add, send } = await makeOrganization(server);
    const shop = "https://shop.example";
    const applicationId = await add("shop", [`${shop}/callback`, "com.example.shop:/callback"]);
    assert.equal(await send(shop), "done");
    await application("Deactivate", { applicationId });
    assert.equal(await send(shop), foreign, "while it is inactive");
    await application("Reactivate", { applicationId });
    assert.equal(await send(shop), "done");
    const redirectUris = ["https://new.example:8443/callback"];
    await application("Update", { applicationId, oidcConfiguration: { redirectUris } });
    assert.equal(await send(shop), foreign, "what it had");
    assert.equal(await send("https://new.example:8443"), "done");
    await application("Update", { applicationId, oidcConfiguration: { backChannelLogoutUri: `${shop}/logout` } });
    assert.equal(await send(shop), "done", "any of its addresses");
    await application("Delete", { applicationId });
    for (const origin of [shop, "https://new.example:8443"]) assert.equal(await send(origin), foreign, origin);

    const { database, findInstanceByHost } = server.app.domain;
    const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
    assert.equal(await countOrigins(database, instanceId, applicationId), 0);
    const many = await add(
      "many",
      Array.from({ length: 150 }, (_, n) => `https://customer${n}.example/callback`),
    );
    assert.equal(await countOrigins(database, instanceId, many), 100);
    assert.equal(await send("https://customer99.example"), "done");
    assert.equal(await send("https://customer100.example"), foreign);
  });

  test("the origins of a client that registered itself count once an administrator vouches for it", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const { userId } = await addPerson(server, { username: "ada", organizationId });
    const send = (origin: string) => {
      const sendLink = { urlTemplate: `${origin}/reset?code={{.Code}}` };
      return refusalOf(server, "PasswordReset", { userId, sendLink });
    };
    await setRegistration(server, "open");
    const stranger = "https://stranger.example";
    const { client_id: clientId } = await registered(server, { redirect_uris: [`${stranger}/callback`] }, null);
    await registered(server, { redirect_uris: ["https://known.example/callback"] });
    assert.equal(await send(stranger), foreign);
    assert.equal(await send("https://known.example"), "done", "registered by an administrator");
    const [row] = await server.app.domain.database.read.all<{ applicationId: string; projectId: string }>(
      sql`select application_id as "applicationId", project_id as "projectId" from applications where client_id = ${clientId}`,
    );
    const service = "service.application.v2.ApplicationService";
    const { body } = await server.connect(`${service}/GetApplication`, { applicationId: row?.applicationId });
    const oidcConfiguration = { consentRequired: false };
    const vouched = { ...row, etag: body.application.etag, oidcConfiguration };
    const { status, body: answer } = await server.connect(`${service}/UpdateApplication`, vouched);
    assert.equal(status, 200, JSON.stringify(answer));
    assert.equal(await send(stranger), "done");
  });
});
