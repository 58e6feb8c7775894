import assert from "node:assert/strict";
import { days, minutes, seconds } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import type { TestServer } from "../support/servers/server.ts";

export interface ListedJob {
  readonly id: string;
  readonly organizationId: string;
  readonly creatorId: string;
  readonly state: string;
  readonly action: string;
  readonly dryRun: boolean;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly left: number;
  readonly stopReason?: { readonly id: string; readonly message: string };
}

interface Result {
  readonly userId: string;
  readonly outcome: string;
  readonly error?: { readonly id: string; readonly message: string };
  readonly preferredLoginName: string;
}

export const idsOf = (people: readonly Person[]): object => ({ userIds: people.map(({ userId }) => userId) });

/** Makes so many users of an organization. */
export async function addPeople(
  server: TestServer,
  organizationId: string,
  count: number,
  prefix = "worker",
): Promise<Person[]> {
  const people: Person[] = [];
  while (people.length < count) {
    people.push(await addPerson(server, { username: `${prefix}-${people.length}`, organizationId }));
  }
  return people;
}

/** Creates a job and returns it as it was answered. */
export async function createJob(server: TestServer, body: object, token: string): Promise<ListedJob> {
  const answer = await server.rest("POST", "/v2/jobs", { body, token });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.job;
}

/** Waits until the jobs have nothing to do. */
export async function work(server: TestServer): Promise<void> {
  server.clock.now += seconds(15);
  await server.app.jobs.tick();
}

export async function readJob(server: TestServer, { id }: { id: string }, token?: string): Promise<ListedJob> {
  const answer = await server.rest("GET", `/v2/jobs/${id}`, token === undefined ? {} : { token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.job;
}

/** Creates a job, and returns it when it has ended. */
export async function runJob(server: TestServer, body: object, token: string): Promise<ListedJob> {
  const created = await createJob(server, body, token);
  await work(server);
  return readJob(server, created);
}

export async function listResults(
  server: TestServer,
  { id }: { id: string },
  { token, ...body }: { readonly token?: string; readonly outcome?: string; readonly pagination?: object } = {},
): Promise<Result[]> {
  const options = token === undefined ? { body } : { body, token };
  const answer = await server.rest("POST", `/v2/jobs/${id}/results/search`, options);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.results ?? [];
}

/** Returns the outcome of each row, or the slug of its failure. */
export const outcomesOf = async (server: TestServer, job: { id: string }): Promise<string[]> =>
  (await listResults(server, job)).map(
    ({ outcome, error }) => error?.id ?? outcome.replace("JOB_OUTCOME_", "").toLowerCase(),
  );

/** Returns the state of each user. */
export async function statesOf(server: TestServer, people: readonly Person[]): Promise<string[]> {
  const states: string[] = [];
  for (const { userId } of people) {
    const { status, body } = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
    states.push(status === 200 ? body.user.state.replace("USER_STATE_", "").toLowerCase() : "gone");
  }
  return states;
}

/** Makes an organization look as if a node that is gone worked on a job of it, so that the next ones wait. */
export async function holdBack(
  server: TestServer,
  organizationId: string,
): Promise<{ readonly instanceId: string; end(): Promise<void> }> {
  const { database, findInstanceByHost } = server.app.domain;
  const instance = await findInstanceByHost("localhost");
  assert.ok(instance);
  const { instanceId } = instance;
  const { now } = server.clock;
  const call = { instanceId, requestId: "test", now, language: "en" } as const;
  await database.touch(call, async (tx) => {
    await tx.run(sql`insert into bulk_jobs (instance_id, job_id, organization_id, creator_id, creator, action, arguments,
        is_dry_run, state, total, sequence, created_at, changed_at, claimed_by, claimed_until)
      values (${instanceId}, 'held', ${organizationId}, 'x', '{"userId":"x","language":"en"}', 'lock', '{}', 0, 'running', 1,
        1, ${now}, ${now}, 'another', ${now + days(1)})`);
  });
  return {
    instanceId,
    end: () =>
      database.touch(call, async (tx) => {
        await tx.run(sql`delete from bulk_jobs where instance_id = ${instanceId} and job_id = 'held'`);
      }),
  };
}

/** Makes a job, which another one holds back, that of a node. */
export const claimFor = (
  { app: { domain }, clock }: TestServer,
  { instanceId }: { readonly instanceId: string },
  { jobId, node }: { readonly jobId: string; readonly node: string },
): Promise<void> =>
  domain.database.touch({ instanceId, requestId: "test", now: clock.now, language: "en" }, async (tx) => {
    await tx.run(sql`update bulk_jobs set claimed_by = ${node}, claimed_until = ${clock.now + minutes(1)}
      where instance_id = ${instanceId} and job_id = ${jobId}`);
  });
