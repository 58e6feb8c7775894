import assert from "node:assert/strict";
import { test } from "node:test";
import { hours, minutes } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { exchangeGrant, mayExchange, typeOf } from "../oauth/token-exchange/support.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { addPeople, createJob, holdBack, idsOf, readJob, statesOf, work } from "./support.ts";

const apiAudience = "urn:service:iam:org:project:id:service:aud";
const applications = "service.application.v2.ApplicationService";

type Client = Awaited<ReturnType<OidcServer["createClient"]>>;

/** A credential of the API, and what ends it. */
interface Credential {
  readonly token: string;
  readonly ends: Readonly<Record<string, () => Promise<unknown>>>;
}

eachEngine((_open, engine) => {
  test("a job goes on only while the API accepts the credential by which it was created", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const boss = await addPerson(server, { username: "boss", organizationId });
    await appoint(server, boss, { organizationId }, ["ORG_OWNER"]);
    const people = await addPeople(server, organizationId, 2);
    const change = (method: string, { applicationId }: Client, body: object = {}) =>
      server.connect(`${applications}/${method}`, { applicationId, projectId: server.projectId, ...body });
    const createClient = () => server.createClient({ trustedForApi: true, ...mayExchange });
    const tokenOf = async (client: Client): Promise<string> =>
      (await server.tokens({ client, user: boss, scope: `openid ${apiAudience}` })).access_token ?? "";
    const endsOf = (client: Client, token: string): Credential["ends"] => ({
      "the token is revoked (RFC 7009)": () => server.form("/oauth/v2/revoke", { token }, client.basic),
      "the application is deactivated": () => change("DeactivateApplication", client),
      "the application is trusted no longer": () =>
        change("UpdateApplication", client, { oidcConfiguration: { trustedForApi: false } }),
      "the application is deleted": () => change("DeleteApplication", client),
    });
    const setLogin = (settings: object) => changeSettings(server, "login", settings, organizationId);
    const usual = { forceMfa: false, allowLocalAuthentication: true };
    const credentials: Readonly<Record<string, () => Promise<Credential>>> = {
      "a token of an application": async () => {
        const client = await createClient();
        const token = await tokenOf(client);
        return { token, ends: endsOf(client, token) };
      },
      "an exchanged token": async () => {
        const [client, other] = [await createClient(), await createClient()];
        const source = await tokenOf(client);
        const { body } = await server.form(
          "/oauth/v2/token",
          {
            grant_type: exchangeGrant,
            subject_token: source,
            subject_token_type: typeOf.access_token,
            scope: `openid ${apiAudience}`,
          },
          other.basic,
        );
        const ofSource = Object.entries(endsOf(client, source)).map(([name, end]) => [`of its source: ${name}`, end]);
        return {
          token: body.access_token ?? "",
          ends: { ...endsOf(other, body.access_token ?? ""), ...Object.fromEntries(ofSource) },
        };
      },
      "a session": async () => {
        await setLogin(usual);
        const { sessionId, token } = await sessionOf(server, boss);
        return {
          token,
          ends: {
            "it is terminated": () => server.rest("DELETE", `/v2/sessions/${sessionId}`),
            "the login demands two factors": () => setLogin({ forceMfa: true }),
            "the login forbids passwords": () => setLogin({ allowLocalAuthentication: false }),
          },
        };
      },
      "a personal access token": async () => {
        const { userId, token } = await addServiceAccount(server, organizationId, `robot-${server.app.domain.newId()}`);
        await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
        const { result } = (await server.rest("POST", "/v2/users/pats/search", { body: {} })).body;
        const { id: tokenId } = result.find((each: { userId: string }) => each.userId === userId);
        return {
          token,
          ends: {
            "it is removed": () => server.rest("DELETE", `/v2/users/${userId}/pats/${tokenId}`),
            "its user is deactivated": () => server.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} }),
          },
        };
      },
    };
    for (const [credential, make] of Object.entries(credentials)) {
      for (const name of ["nothing ends", ...Object.keys((await make()).ends)]) {
        const { token, ends } = await make();
        const body = { organizationId, userIds: idsOf(people), lock: {}, dryRun: true };
        const hold = await holdBack(server, organizationId);
        const job = await createJob(server, body, token);
        await ends[name]?.();
        const { status } = await server.rest("POST", "/v2/jobs", { token, body });
        await hold.end();
        await work(server);
        const { state, stopReason, succeeded } = await readJob(server, job);
        const wanted =
          name === "nothing ends" ? [201, "COMPLETED", 2, undefined] : [401, "STOPPED", 0, "job.creator_gone"];
        assert.deepEqual(
          [status, state.replace("JOB_STATE_", ""), Number(succeeded ?? 0), stopReason?.id],
          wanted,
          `${credential}: ${name}`,
        );
      }
    }
    assert.deepEqual(await statesOf(server, people), ["active", "active"]);
  });

  test("a revocation is not forgotten while the job waits", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const boss = await addPerson(server, { username: "boss", organizationId });
    await appoint(server, boss, { organizationId }, ["ORG_OWNER"]);
    const people = await addPeople(server, organizationId, 2);
    const client = await server.createClient({ trustedForApi: true });
    const { read } = server.app.domain.database;
    const rowsOfTokens = async (): Promise<number> => (await read.all(sql`select 1 from access_tokens`)).length;
    for (const isRevoked of [false, true]) {
      const { access_token: token = "" } = await server.tokens({ client, user: boss, scope: `openid ${apiAudience}` });
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {}, dryRun: true }, token);
      if (isRevoked) assert.equal((await server.form("/oauth/v2/revoke", { token }, client.basic)).status, 200);
      // Longer than the token lives and its row is kept otherwise, and less than a job may take.
      server.clock.now += hours(20);
      await server.app.jobs.tick();
      assert.equal(await rowsOfTokens(), 1);
      await hold.end();
      await work(server);
      assert.equal((await readJob(server, job)).state, isRevoked ? "JOB_STATE_STOPPED" : "JOB_STATE_COMPLETED");
      server.clock.now += hours(1);
      await server.app.jobs.tick();
      assert.equal(await rowsOfTokens(), 0, "it goes when the job has ended");
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
