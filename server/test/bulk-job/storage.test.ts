import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { sql, takeFromBudget } from "../../src/database/index.ts";
import { settleRow } from "../../src/domain/bulk-job/index.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { claimFor, createJob, holdBack, listResults, readJob } from "./support.ts";

const unknown = (count: number): object => ({
  userIds: { userIds: Array.from({ length: count }, (_each, index) => `${index + 1}`) },
});

const countRows = async ({ app: { domain } }: TestServer, jobId: string): Promise<number> =>
  (
    await domain.database.read.all(
      sql`select 1 as "found" from bulk_job_rows where instance_id <> '' and job_id = ${jobId}`,
    )
  ).length;

eachServer((start) => {
  test("rows that a job left undone go when it was canceled, and what became of users stays", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const hold = await holdBack(server, organizationId);
    const job = await createJob(server, { organizationId, ...unknown(450), lock: {} }, token);
    const other = await createJob(server, { organizationId, ...unknown(3), lock: {} }, token);
    await claimFor(server, hold, { jobId: job.id, node: "test" });
    await claimFor(server, hold, { jobId: other.id, node: "test" });
    await hold.end();
    const { instanceId } = hold;
    const call = { instanceId, requestId: "test", now: server.clock.now, language: "en" } as const;
    await database.touch(call, async (tx) => {
      await tx.run(
        sql`update bulk_jobs set state = 'running' where instance_id = ${instanceId} and job_id = ${job.id}`,
      );
    });
    const settled = { jobId: job.id, attempt: "test" };
    await settleRow({ database }, call, { ...settled, position: 1, outcome: "succeeded" });
    const error = { id: "user.not_found", message: "The user does not exist." };
    await settleRow({ database }, call, { ...settled, position: 3, outcome: "failed", error });
    assert.equal((await listResults(server, job, { pagination: { limit: 1000 } })).length, 450);
    assert.equal((await server.rest("POST", `/v2/jobs/${job.id}/cancel`, { body: {}, token })).status, 200);
    const results = async () => (await listResults(server, job)).map(({ outcome, error: why }) => why?.id ?? outcome);
    assert.deepEqual(await results(), ["JOB_OUTCOME_SUCCEEDED", "user.not_found"]);
    server.clock.now += minutes(1);
    await server.app.jobs.tick();
    assert.equal(await countRows(server, job.id), 2);
    assert.equal(await countRows(server, other.id), 3, "those of a job that was not canceled stay");
    assert.deepEqual(await results(), ["JOB_OUTCOME_SUCCEEDED", "user.not_found"]);
    const { state, total, left } = await readJob(server, job);
    assert.deepEqual([state, total, left], ["JOB_STATE_CANCELED", 450, 448]);
  });

  test("an organization pays for the users of its jobs, and not for those of administrators of the instance", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const hold = await holdBack(server, organizationId);
    const call = { instanceId: hold.instanceId, requestId: "test", now: server.clock.now, language: "en" } as const;
    const perRow = minutes(1) / 20;
    await database.touch(call, async (tx) => {
      const budget = { budget: "job_rows_of_organization", subject: organizationId };
      await takeFromBudget(tx, { ...budget, cost: 99_998 * perRow, allowance: 100_000 * perRow });
    });
    const create = async (count: number, by: string, of = organizationId): Promise<string> => {
      const body = { organizationId: of, ...unknown(count), lock: {} };
      const { status, body: answer } = await server.rest("POST", "/v2/jobs", { body, token: by });
      return status === 201 ? "created" : `${status} ${answer.details?.[0]?.id}`;
    };
    assert.equal(await create(3, token), "429 job.too_many_rows");
    assert.equal(await create(2, token), "created");
    assert.equal(await create(1, token), "429 job.too_many_rows");
    assert.equal(await create(3, other.token, other.organizationId), "created");
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    assert.equal(await create(3, (await sessionOf(server, owner)).token), "created");
    server.clock.now += minutes(1);
    assert.equal(await create(21, token), "429 job.too_many_rows");
    assert.equal(await create(20, token), "created");
  });
});
