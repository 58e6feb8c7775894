import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { addPeople, createJob, holdBack, idsOf, readJob, statesOf, work } from "./support.ts";

const apiAudience = "urn:service:iam:org:project:id:service:aud";
const applications = "service.application.v2.ApplicationService";

type Client = Awaited<ReturnType<OidcServer["createClient"]>>;

eachEngine((_open, engine) => {
  test("a job ends with the token and the application by which it was created", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const boss = await addPerson(server, { username: "boss", organizationId });
    await appoint(server, boss, { organizationId }, ["ORG_OWNER"]);
    const change = (method: string, { applicationId }: Client, body: object = {}) =>
      server.connect(`${applications}/${method}`, { applicationId, projectId: server.projectId, ...body });
    const ends: Readonly<Record<string, (client: Client, token: string) => Promise<{ status: number }>>> = {
      "the token is revoked (RFC 7009)": (client, token) => server.form("/oauth/v2/revoke", { token }, client.basic),
      "the application is deactivated": (client) => change("DeactivateApplication", client),
      "the application is trusted no longer": (client) =>
        change("UpdateApplication", client, { oidcConfiguration: { trustedForApi: false } }),
      "the application is deleted": (client) => change("DeleteApplication", client),
    };
    for (const [index, [name, end]] of [...Object.entries(ends), ["nothing ends", undefined] as const].entries()) {
      const people = await addPeople(server, organizationId, 2, `worker-${index}`);
      const client = await server.createClient({ trustedForApi: true });
      const { access_token: token = "" } = await server.tokens({ client, user: boss, scope: `openid ${apiAudience}` });
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
      if (end !== undefined) assert.equal((await end(client, token)).status, 200, name);
      await hold.end();
      await work(server);
      const { state, stopReason } = await readJob(server, job);
      const wanted = end === undefined ? ["JOB_STATE_COMPLETED", undefined] : ["JOB_STATE_STOPPED", "job.creator_gone"];
      assert.deepEqual([state, stopReason?.id], wanted, name);
      const states = end === undefined ? ["locked", "locked"] : ["active", "active"];
      assert.deepEqual(await statesOf(server, people), states, name);
    }
  });

  test("a job ends when the session in which it was created expires", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const boss = await addPerson(server, { username: "boss", organizationId });
    await appoint(server, boss, { organizationId }, ["ORG_OWNER"]);
    const people = await addPeople(server, organizationId, 2);
    const checks = { user: { userId: boss.userId }, password: { password: boss.password } };
    const { sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks, lifetime: "3600s" } })).body;
    const body = { organizationId, userIds: idsOf(people), lock: {} };
    for (const [later, wanted] of [
      [minutes(50), "JOB_STATE_COMPLETED"],
      [minutes(20), "JOB_STATE_STOPPED"],
    ] as const) {
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { ...body, dryRun: true }, sessionToken);
      server.clock.now += later;
      await hold.end();
      await work(server);
      assert.equal((await readJob(server, job)).state, wanted);
    }
  });
});
