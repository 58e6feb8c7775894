import assert from "node:assert/strict";
import { test } from "node:test";
import { days, seconds } from "../../src/base/clock.ts";
import type { Call } from "../../src/call/index.ts";
import { DatabaseUnavailable, join, sql } from "../../src/database/index.ts";
import { type BulkJobRunnerDeps, createBulkJobRunner } from "../../src/jobs/create-bulk-job-runner.ts";
import { eventually } from "../oauth/support/back-channel.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addPeople, claimFor, createJob, holdBack, idsOf, type ListedJob, readJob, runJob, work } from "./support.ts";

/** Stores jobs that nothing works on now, of organizations that nothing else is of; each has so many. */
async function storeJobs(server: TestServer, instanceId: string, count: number, each = 1): Promise<void> {
  const { now } = server.clock;
  const call: Call = { instanceId, requestId: "test", now, language: "en" };
  const rows = Array.from(
    { length: count },
    (
      _each,
      index,
    ) => sql`(${instanceId}, ${`${instanceId}-${index}`}, ${`organization-${Math.floor(index / each)}`}, 'x',
      '{"userId":"x","language":"en"}', 'lock', '{}', 0, 'queued', 1, 1, ${index}, ${index})`,
  );
  await server.app.domain.database.touch(call, async (tx) => {
    await tx.run(sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments,
        is_dry_run, state, total, sequence, created_at, changed_at) values ${join(rows, ", ")}`);
  });
}

/** Stores jobs of the node "mine" about one user of an organization. */
async function storeJobsOf(
  server: TestServer,
  {
    instanceId,
    user: { userId, organizationId },
    jobs,
    rows,
  }: {
    readonly instanceId: string;
    readonly user: { readonly userId: string; readonly organizationId: string };
    readonly jobs: number;
    readonly rows: number;
  },
): Promise<void> {
  const { now } = server.clock;
  const series = (count: number) =>
    sql`with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count})`;
  await server.app.domain.database.touch({ instanceId, requestId: "test", now, language: "en" }, async (tx) => {
    await tx.run(sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments,
        is_dry_run, state, total, sequence, created_at, changed_at, claimed_by, claimed_until)
      ${series(jobs)} select ${instanceId}, ${userId} || '-' || n, ${organizationId}, 'x', '{"userId":"x","language":"en"}',
        'lock', '{}', 0, 'queued', ${rows}, 1, ${now}, ${now}, 'mine', ${now + seconds(60)} from series`);
    await tx.run(sql`insert into bulk_job_rows (instance_id, job_id, position, user_id, created_at)
      ${series(rows)} select ${instanceId}, j.job_id, n, ${userId}, ${now} from series, bulk_jobs j
      where j.instance_id = ${instanceId} and j.organization_id = ${organizationId}`);
  });
  server.clock.now++;
}

/** Adds an instance that has nothing. */
async function addInstance(server: TestServer, instanceId: string): Promise<void> {
  const call: Call = { instanceId, requestId: "test", now: server.clock.now, language: "en" };
  await server.app.domain.database.touch(call, async (tx) => {
    await tx.run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id,
        system_project_id, sequence, created_at, changed_at)
      values (${instanceId}, 'Other', 'active', 'en', 'none', 'none', 1, 1, 1)`);
  });
}

/** Creates a node of its own, whose jobs are those that `claimFor` makes those of "mine". */
function createRunner(
  server: TestServer,
  parts: Pick<BulkJobRunnerDeps, "performRow" | "report">,
): ReturnType<typeof createBulkJobRunner> {
  const ids = ["mine"];
  return createBulkJobRunner({
    ...server.app.domain,
    newId: () => ids.pop() ?? server.app.domain.newId(),
    // Whose credential still counts is not the question here.
    recall: async (_call, creator) => ({ ...creator, organizationId: "" }),
    ...parts,
  });
}

eachServer((start) => {
  test("jobs of instances that are blocked hold up no others", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 30);
    await addInstance(server, "blocked");
    await storeJobs(server, "blocked", 250);
    const call: Call = { instanceId: "blocked", requestId: "test", now: server.clock.now, language: "en" };
    await server.app.domain.database.touch(call, async (tx) => {
      await tx.run(sql`insert into instance_limits (instance_id, is_blocked, sequence, created_at, changed_at)
        values ('blocked', 1, 1, 1, 1)`);
    });
    const job = await runJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    assert.deepEqual([job.state, job.succeeded], ["JOB_STATE_COMPLETED", 30]);
  });

  test("jobs that wait for the answers of targets do not hold up others", { timeout: 60_000 }, async (t) => {
    const server = await start(t);
    const quick = await addOwnedOrganization(server, "Quick");
    const people = await addPeople(server, quick.organizationId, 60);
    const hold = await holdBack(server, quick.organizationId);
    // More of one instance than are looked at for a round, and more instances with two than there are turns at a time.
    const slow = ["many", ...Array.from({ length: 9 }, (_each, index) => `other-${index}`)];
    for (const instanceId of slow) {
      await addInstance(server, instanceId);
      await storeJobs(server, instanceId, instanceId === "many" ? 250 : 2);
    }
    const body = { organizationId: quick.organizationId, userIds: idsOf(people), lock: {} };
    const job = await createJob(server, body, quick.token);
    // So that the server's own node does not begin with it.
    await claimFor(server, hold, { jobId: job.id, node: "mine" });
    await hold.end();
    const answered = Promise.withResolvers<undefined>();
    const done = Promise.withResolvers<void>();
    const waiting = new Map<string, number>();
    let rows = 0;
    const runner = createRunner(server, {
      report: (error) => done.reject(error),
      performRow: async ({ call: { instanceId } }) => {
        if (slow.includes(instanceId)) {
          waiting.set(instanceId, (waiting.get(instanceId) ?? 0) + 1);
          return answered.promise;
        }
        rows++;
        if (rows === people.length) done.resolve();
        return undefined;
      },
    });
    runner.wake();
    await done.promise;
    assert.deepEqual([...waiting.values()], [...waiting.values()].fill(2), "two of an instance");
    answered.resolve(undefined);
    await runner.stop();
  });

  test("a user whom the database refuses to change holds up no other", { timeout: 60_000 }, async (t) => {
    const server = await start(t);
    const other = await addOwnedOrganization(server, "Other");
    const quick = await addOwnedOrganization(server, "Quick");
    const waiting = await addPeople(server, other.organizationId, 1, "slow");
    const people = await addPeople(server, quick.organizationId, 4);
    for (const { organizationId, token, members } of [
      { ...other, members: waiting },
      { ...quick, members: people },
    ]) {
      const hold = await holdBack(server, organizationId);
      const job = await createJob(server, { organizationId, userIds: idsOf(members), lock: {} }, token);
      await claimFor(server, hold, { jobId: job.id, node: "mine" });
      await hold.end();
    }
    const answered = Promise.withResolvers<undefined>();
    const [done, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const settled: string[] = [];
    let isFree = false;
    const runner = createRunner(server, {
      report: (error) => done.reject(error),
      performRow: async ({ userId }) => {
        if (waiting.some((each) => each.userId === userId)) return answered.promise;
        if (userId === people[1]?.userId && !isFree) {
          refused.resolve();
          throw new DatabaseUnavailable("locked");
        }
        settled.push(userId);
        if (settled.length === people.length) done.resolve();
        return undefined;
      },
    });
    runner.wake();
    await refused.promise;
    isFree = true;
    const isReleased = async (): Promise<boolean> =>
      (await server.app.domain.database.read.maybe(sql`select 1 from bulk_jobs where organization_id =
        ${quick.organizationId} and claimed_by = '' and claimed_until > ${server.clock.now}`)) !== undefined;
    await eventually(isReleased, "the job waits");
    // The other job still waits for its target.
    server.clock.now += seconds(31);
    await done.promise;
    const expected = [people[0], people[2], people[3], people[1]];
    assert.deepEqual(
      settled,
      expected.map((each) => each?.userId),
    );
    answered.resolve(undefined);
    await runner.stop();
  });

  test("organizations have turns, however many small jobs one of them has", { timeout: 60_000 }, async (t) => {
    const server = await start(t);
    const bank = await addOwnedOrganization(server, "Bank");
    const others = [];
    for (const name of ["One", "Two", "Three"]) others.push(await addOwnedOrganization(server, name));
    const { instanceId, end } = await holdBack(server, bank.organizationId);
    await end();
    // Each has more jobs than are listed of an instance, older ones than that of the bank.
    for (const other of others) await storeJobsOf(server, { instanceId, user: other, jobs: 80, rows: 1 });
    await storeJobsOf(server, { instanceId, user: bank, jobs: 1, rows: 60 });
    const done = Promise.withResolvers<void>();
    const counts = { bank: 0, others: 0 };
    const runner = createRunner(server, {
      report: (error) => done.reject(error),
      performRow: async ({ userId }) => {
        server.clock.now++;
        counts[userId === bank.userId ? "bank" : "others"]++;
        if (counts.bank === 60) done.resolve();
        if (counts.others === 120) done.reject(new Error("the others came first"));
        return undefined;
      },
    });
    runner.wake();
    await done.promise;
    await runner.stop();
  });

  test("each organization has room for one job, and administrators for all, when others have all there is", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const { instanceId, end } = await holdBack(server, organizationId);
    // Beside the first of each of six organizations.
    await storeJobs(server, instanceId, 56, 10);
    await server.app.domain.database.touch(
      { instanceId, requestId: "test", now: server.clock.now, language: "en" },
      async (tx) => {
        await tx.run(sql`update bulk_jobs set claimed_by = 'another', claimed_until = ${server.clock.now + days(1)}
          where instance_id = ${instanceId}`);
      },
    );
    // Long enough not to end before the others are counted.
    const userIds = { userIds: Array.from({ length: 3000 }, (_each, index) => `${index + 1}`) };
    const ask = () => server.rest("POST", "/v2/jobs", { body: { organizationId, userIds, lock: {} }, token });
    const refused = await ask();
    assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [429, "job.too_many_unfinished"], "a second one");
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const all = { userIds: idsOf(people), lock: {} };
    const job = await createJob(server, all, (await sessionOf(server, owner)).token);
    await end();
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 429, 429, 429, 429]);
    const first = answers.find(({ status }) => status === 201)?.body.job as ListedJob;
    assert.equal((await server.rest("POST", `/v2/jobs/${first.id}/cancel`, { body: {}, token })).status, 200);
    await work(server);
    const { state, succeeded } = await readJob(server, job);
    assert.deepEqual([state, succeeded], ["JOB_STATE_COMPLETED", 2]);
  });
});
