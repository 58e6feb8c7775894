import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, type Tx } from "../../src/database/index.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { trustForApi } from "../support/oidc/trust.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addConsents, atBatch, steadyClock } from "./support.ts";

const applications = "service.application.v2.ApplicationService";
const evil = "https://evil.example/callback";

eachServer((start) => {
  test("a change that ends its caller's own token is refused where that token ended otherwise meanwhile", async (t) => {
    const base = await start(t);
    const server = { ...base, ...(await setUpOidc(base)) };
    const { database } = server.app.domain;
    const wait = steadyClock(t);

    /** Moves an application by its own token; its consents are more than a batch, and the caller's is in the first. */
    const changeOwn = async (name: string, endAtBatch: (tx: Tx, userId: string) => Promise<unknown>) => {
      const { organizationId } = await addOwnedOrganization(server, name);
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", { organizationId, name });
      const { projectId } = made.body;
      const client = await server.createClient({}, projectId);
      await trustForApi(server, client, projectId);
      const owner = await addPerson(server, { username: `owner-of-${name}`, organizationId });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      const scope = "openid urn:service:iam:org:project:id:service:aud";
      const { access_token: token = "" } = await server.tokens({ client, user: owner, scope });
      await addConsents(server, client.clientId, 101);
      await addConsents(server, client.clientId, { userIds: [owner.userId] });
      let batches = 0;
      atBatch(database, owner.userId, async (tx) => {
        batches++;
        wait(1000);
        await endAtBatch(tx, owner.userId);
      });
      const { applicationId } = client;
      const oidcConfiguration = { redirectUris: [client.redirectUri, evil] };
      const wanted = { applicationId, projectId, oidcConfiguration };
      const { status } = await server.connect(`${applications}/UpdateApplication`, wanted, { token });
      assert.ok(batches > 0);
      const { body } = await server.connect(`${applications}/GetApplication`, { applicationId });
      const me = await server.rest("GET", "/auth/v1/users/me", { token });
      const hasChanged = body.application.oidcConfiguration.redirectUris.includes(evil);
      return { status, hasChanged, isTokenGood: me.status === 200 };
    };

    const kept = await changeOwn("kept", async () => {});
    assert.deepEqual(kept, { status: 200, hasChanged: true, isTokenGood: false }, "it ends with the change");
    // As a new password does.
    const signedOut = await changeOwn("signed-out", (tx, userId) =>
      tx.run(sql`update sessions set terminated_at = ${tx.now}
        where instance_id = ${tx.instanceId} and user_id = ${userId}`),
    );
    assert.deepEqual(signedOut, { status: 401, hasChanged: false, isTokenGood: false });
    const locked = await changeOwn("locked", (tx, userId) =>
      tx.run(sql`update users set state = 'locked' where instance_id = ${tx.instanceId} and user_id = ${userId}`),
    );
    assert.deepEqual(locked, { status: 401, hasChanged: false, isTokenGood: false });
    // As another owner does to any application, at once on every node.
    const deactivated = await changeOwn("deactivated", async (tx) => {
      const clientId = tx.call.caller?.clientId ?? "";
      const [row] = await tx.all<{ id: string; ownerId: string; sequence: number }>(sql`update applications
        set state = 'inactive', sequence = sequence + 1
        where instance_id = ${tx.instanceId} and client_id = ${clientId} and state <> 'inactive'
        returning application_id as "id", organization_id as "ownerId", sequence as "sequence"`);
      if (row === undefined) return;
      const { id: aggregateId, ownerId, sequence } = row;
      tx.record({ type: "application.deactivated", aggregateType: "application", aggregateId, ownerId, sequence });
    });
    assert.deepEqual(deactivated, { status: 401, hasChanged: false, isTokenGood: false });
  });
});
