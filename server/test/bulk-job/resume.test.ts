import assert from "node:assert/strict";
import { test } from "node:test";
import { days, minutes } from "../../src/base/clock.ts";
import { type Call, callOfPresented } from "../../src/call/index.ts";
import { sql } from "../../src/database/index.ts";
import { loadAccess } from "../../src/domain/administrator-access/index.ts";
import { companionOf, findJob, RowSettled } from "../../src/domain/bulk-job/index.ts";
import { refuseLossOfOwner } from "../../src/domain/membership/index.ts";
import { isFreshCaller, mayActForUser } from "../../src/domain/session/index.ts";
import { endAccessOfUser } from "../../src/domain/sign-out/index.ts";
import { changeUserState } from "../../src/domain/user/index.ts";
import { createBulkJobRunner } from "../../src/jobs/create-bulk-job-runner.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addPeople, claimFor, createJob, holdBack, idsOf, outcomesOf, readJob, statesOf, work } from "./support.ts";

const partsOf = ({ app: { domain } }: TestServer) => ({
  ...domain,
  mayActFor: mayActForUser,
  isFresh: isFreshCaller,
  refuseLossOfOwner,
  endAccessOfUser,
});

const locksOf = async ({ app: { domain } }: TestServer, userIds: readonly string[]): Promise<number[]> => {
  const rows = await domain.database.read.all<{ userId: string }>(
    sql`select aggregate_id as "userId" from events where type = 'user.locked' and instance_id <> ''`,
  );
  return userIds.map((id) => rows.filter(({ userId }) => userId === id).length);
};

eachServer((start) => {
  test("a job that a crash cut off goes on elsewhere, and no row is done twice", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 5);
    const hold = await holdBack(server, organizationId);
    const job = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    // So that the server's own node, which looks for jobs at times of its own, does not begin with it.
    await claimFor(server, hold, { jobId: job.id, node: "dying" });
    await hold.end();
    const ids = ["dying"];
    // A node that dies after the commit of its third row, before it knows of it.
    const reached = Promise.withResolvers<void>();
    let done = 0;
    const dying = createBulkJobRunner({
      ...server.app.domain,
      newId: () => ids.pop() ?? server.app.domain.newId(),
      report: (error) => reached.reject(error),
      // Whose credential still counts is not the question here.
      recall: async (_call, creator) => ({ ...creator, organizationId: "" }),
      performRow: async ({ call, userId, identify }) => {
        const { clock } = server.app.domain;
        await changeUserState(partsOf(server), await callOfPresented(clock, call, identify), { userId, move: "lock" });
        done++;
        if (done < 3) return undefined;
        reached.resolve();
        return new Promise(() => {});
      },
    });
    dying.wake();
    await reached.promise;
    const cut = await readJob(server, job);
    assert.deepEqual([cut.state, cut.succeeded, cut.left], ["JOB_STATE_RUNNING", 3, 2]);
    // As long as the claim holds, no other node works on it.
    await work(server);
    assert.equal((await readJob(server, job)).succeeded, 3);
    server.clock.now += minutes(1);
    await work(server);
    const whole = await readJob(server, job);
    assert.deepEqual([whole.state, whole.succeeded, whole.failed], ["JOB_STATE_COMPLETED", 5, 0]);
    assert.deepEqual(
      await outcomesOf(server, job),
      people.map(() => "succeeded"),
    );
    assert.deepEqual(
      await locksOf(
        server,
        people.map(({ userId }) => userId),
      ),
      [1, 1, 1, 1, 1],
    );
  });

  test("of two tries of a row one is committed, and none once the job was canceled", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const { organizationId, token, userId: creatorId } = await addOwnedOrganization(server, "Acme");
    const people = await addPeople(server, organizationId, 2);
    const hold = await holdBack(server, organizationId);
    const created = await createJob(server, { organizationId, userIds: idsOf(people), lock: {} }, token);
    const { instanceId } = hold;
    const call: Call = { instanceId, requestId: "test", now: server.clock.now, language: "en" };
    await claimFor(server, hold, { jobId: created.id, node: "test" });
    await hold.end();
    await database.touch(call, async (tx) => {
      await tx.run(sql`update bulk_jobs set state = 'running', claimed_until = ${call.now + days(1)}
        where instance_id = ${instanceId} and job_id = ${created.id}`);
    });
    const job = await findJob(database.read, instanceId, created.id);
    assert.ok(job);
    const access = await loadAccess(database.read, instanceId, creatorId);
    const tryRow = (attempt: string, position: number, move: "lock" | "unlock") => {
      const userId = people[position - 1]?.userId ?? "";
      const companion = companionOf({ job, row: { position, userId }, attempt });
      const caller = { userId: creatorId, organizationId, access };
      return changeUserState(partsOf(server), { ...call, caller, companion }, { userId, move });
    };
    await tryRow("one", 1, "lock");
    await assert.rejects(tryRow("two", 1, "unlock"), RowSettled);
    assert.deepEqual(await statesOf(server, people), ["locked", "active"]);
    assert.equal((await server.rest("POST", `/v2/jobs/${job.jobId}/cancel`, { body: {}, token })).status, 200);
    await assert.rejects(tryRow("three", 2, "lock"), RowSettled);
    assert.deepEqual(await statesOf(server, people), ["locked", "active"]);
    const after = await readJob(server, created);
    assert.deepEqual([after.state, after.succeeded, after.left], ["JOB_STATE_CANCELED", 1, 1]);
  });
});
