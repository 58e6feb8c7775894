import assert from "node:assert/strict";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import type { Call } from "../../src/call/index.ts";
import { join, sql } from "../../src/database/index.ts";
import { createBulkJobRunner } from "../../src/jobs/create-bulk-job-runner.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addPeople, claimFor, createJob, holdBack, idsOf, readJob, runJob } from "./support.ts";

/** Stores jobs that nothing works on now, of organizations that nothing else is of. */
async function storeJobs(server: TestServer, instanceId: string, count: number): Promise<void> {
  const { now } = server.clock;
  const call: Call = { instanceId, requestId: "test", now, language: "en" };
  const rows = Array.from(
    { length: count },
    (_each, index) => sql`(${instanceId}, ${`stored-${index}`}, ${`organization-${index}`}, 'x',
      '{"userId":"x","language":"en"}', 'lock', '{}', 0, 'queued', 1, 1, ${index}, ${index})`,
  );
  await server.app.domain.database.touch(call, async (tx) => {
    await tx.run(sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments,
        is_dry_run, state, total, sequence, created_at, changed_at) values ${join(rows, ", ")}`);
  });
}

eachServer((start) => {
  test("jobs of instances that are blocked hold up no others", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 30);
    await storeJobs(server, "blocked", 250);
    const call: Call = { instanceId: "blocked", requestId: "test", now: server.clock.now, language: "en" };
    await server.app.domain.database.touch(call, async (tx) => {
      await tx.run(sql`insert into instance_limits (instance_id, is_blocked, sequence, created_at, changed_at)
        values ('blocked', 1, 1, 1, 1)`);
    });
    const job = await runJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    assert.deepEqual([job.state, job.succeeded], ["JOB_STATE_COMPLETED", 30]);
  });

  test("a job that waits for others does not hold up the next ones", { timeout: 60_000 }, async (t) => {
    const server = await start(t);
    const slow = await addOwnedOrganization(server, "Slow");
    const quick = await addOwnedOrganization(server, "Quick");
    const waiting = await addPeople(server, slow.organizationId, 1, "slow");
    const people = await addPeople(server, quick.organizationId, 60);
    for (const { organizationId, token, members } of [
      { ...slow, members: waiting },
      { ...quick, members: people },
    ]) {
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { organizationId, userIds: idsOf(members), lock: {} }, token);
      // So that the server's own node does not begin with it.
      await claimFor(server, hold, { jobId: job.id, node: "mine" });
      await hold.end();
    }
    const answered = Promise.withResolvers<undefined>();
    const done = Promise.withResolvers<void>();
    let rows = 0;
    const ids = ["mine"];
    const runner = createBulkJobRunner({
      ...server.app.domain,
      newId: () => ids.pop() ?? server.app.domain.newId(),
      report: (error) => done.reject(error),
      // Whose credential still counts is not the question here.
      recall: async (_call, creator) => creator,
      performRow: async ({ userId }) => {
        if (waiting.some((each) => each.userId === userId)) return answered.promise;
        rows++;
        if (rows === people.length) done.resolve();
        return undefined;
      },
    });
    runner.wake();
    await done.promise;
    answered.resolve(undefined);
    await runner.stop();
  });

  test("administrators of the instance have room for jobs when its organizations have none", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const { instanceId, end } = await holdBack(server, organizationId);
    await end();
    await storeJobs(server, instanceId, 50);
    await server.app.domain.database.touch(
      { instanceId, requestId: "test", now: server.clock.now, language: "en" },
      async (tx) => {
        await tx.run(sql`update bulk_jobs set claimed_by = 'another', claimed_until = ${server.clock.now + days(1)}
          where instance_id = ${instanceId}`);
      },
    );
    const body = { organizationId, userIds: idsOf(people), lock: {} };
    const refused = await server.rest("POST", "/v2/jobs", { body, token });
    assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [429, "job.too_many_unfinished"]);
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const job = await runJob(server, body, (await sessionOf(server, owner)).token);
    assert.deepEqual([(await readJob(server, job)).state, job.succeeded], ["JOB_STATE_COMPLETED", 2]);
  });
});
