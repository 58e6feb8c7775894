import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { startServer } from "../support/servers/server.ts";

test("runs of jobs show in the metrics, with what they did", async (t) => {
  const server = await startServer(t);
  await server.app.jobs.tick();
  server.clock.now += minutes(1);
  await server.app.jobs.tick();
  const { body } = await server.rest("GET", "/debug/metrics", { token: null });
  assert.match(body, /doorward_job_duration_seconds_count\{job="expire",outcome="done"\} 2/);
  assert.match(body, /doorward_job_duration_seconds_count\{job="rotate_keys",outcome="done"\} 1/);
  assert.match(body, /doorward_job_duration_seconds_count\{job="purge_instances",outcome="done"\} 1/);
  assert.match(body, /doorward_job_records_total\{job="expire",records="access_tokens"\} 0/);
});

test("a server that closes has stopped its jobs", async (t) => {
  const server = await startServer(t);
  const running = server.app.jobs.tick();
  await server.app.close();
  await running;
  server.clock.now += minutes(60);
  await server.app.jobs.tick();
});
