import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { countersOf, mergeMetrics } from "../../src/http/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { freePort } from "../support/http/free-port.ts";
import { exchange } from "../support/http/raw-http.ts";
import { startServer } from "../support/servers/server.ts";

const chosen = { host: "127.0.0.1", port: 0, isChosen: true };

test("the public port shows only health and readiness; metrics and reasons are served at the operations address (U5)", async (t) => {
  const server = await startServer(t, { config: { mode: "start", operations: chosen } });
  const { port, operationsPort } = server.app;
  const ask = async (at: number | undefined, path: string, method = "GET") => {
    const answer = await fetch(`http://127.0.0.1:${at}${path}`, { method, headers: { connection: "close" } });
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
  };
  assert.deepEqual(
    [(await ask(port, "/debug/healthz")).text, (await ask(operationsPort, "/debug/healthz")).text],
    ["ok", "ok"],
  );
  assert.equal((await ask(port, "/debug/metrics")).status, 404, "not on the public port");
  const metrics = await ask(operationsPort, "/debug/metrics");
  assert.match(metrics.type, /^text\/plain; version=0\.0\.4/);
  assert.match(metrics.text, /^doorward_http_requests_total\{method="GET",route="\/debug\/healthz",status="200"\} 1$/m);
  assert.match(metrics.text, /^process_cpu_seconds_total \d/m);
  for (const [method, path, status] of [
    ["GET", "/", 404],
    ["GET", "/oauth/v2/keys", 404],
    ["GET", "/debug/metrics/../ready", 200],
    ["GET", "/debug/metrics?a=b", 200],
    ["POST", "/debug/metrics", 405],
    ["HEAD", "/debug/ready", 200],
  ] as const) {
    assert.equal((await ask(operationsPort, path, method)).status, status, `${method} ${path}`);
  }

  const { database } = server.app.domain;
  const { ping } = database;
  Object.assign(database, { ping: () => Promise.reject(new Error("gone")) });
  const [public503, private503] = [await ask(port, "/debug/ready"), await ask(operationsPort, "/debug/ready")];
  Object.assign(database, { ping });
  assert.deepEqual([public503.status, JSON.parse(public503.text)], [503, { status: "not ready" }]);
  assert.deepEqual(JSON.parse(private503.text), { status: "not ready", reasons: ["the database does not answer"] });
});

test("a page of another name cannot read what this machine alone may see (U5)", async (t) => {
  const server = await startServer(t, { config: { operations: chosen } });
  const statusFor = async (host: string): Promise<number | undefined> => {
    const headers = [
      ["host", host],
      ["connection", "close"],
    ] as const;
    return (await exchange(server.app.operationsPort ?? 0, { path: "/debug/metrics", headers }))?.status;
  };
  for (const host of ["127.0.0.1:8081", "localhost:8081", "[::1]:8081"]) assert.equal(await statusFor(host), 200, host);
  for (const host of ["evil.example:8081", "localhost.evil.example"]) assert.equal(await statusFor(host), 421, host);
});

test("an address that is this machine's in another spelling is guarded as well", async (t) => {
  const server = await startServer(t, {
    config: { operations: { ...chosen, host: "::ffff:127.0.0.1", isChosen: false } },
  });
  const port = server.app.operationsPort;
  if (port === undefined) return t.skip("this machine has no IPv6");
  for (const [host, status] of [
    ["127.0.0.1:8081", 200],
    ["evil.example:8081", 421],
  ] as const) {
    const headers = [
      ["host", host],
      ["connection", "close"],
    ] as const;
    assert.equal((await exchange(port, { path: "/debug/metrics", headers }))?.status, status, host);
  }
});

test("an operations address that is taken is passed over, unless it was chosen (U5)", async (t) => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  t.after(() => void holder.close());
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const log: string[] = [];
  const server = await startServer(t, { log, config: { operations: { host: "127.0.0.1", port, isChosen: false } } });
  assert.equal(server.app.operationsPort, undefined);
  assert.equal((await server.rest("GET", "/debug/ready", { token: null })).status, 200, "it runs all the same");
  assert.ok(log.some((line) => line.includes("metrics have no address") && line.includes(String(port))));
  await assert.rejects(
    startServer(t, { config: { operations: { host: "127.0.0.1", port, isChosen: true } } }),
    /DOORWARD_OPERATIONS_LISTEN/,
  );
  const none = await startServer(t, { config: { operations: undefined, port: await freePort() } });
  assert.equal(none.app.operationsPort, undefined);
});

test("metrics of several processes are one text: counts are added up, the rest is told by worker (U5)", () => {
  const text = (requests: number, memory: number): string =>
    [
      "# HELP process_resident_memory_bytes Memory",
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${memory}`,
      "# HELP nodejs_gc_duration_seconds Pauses",
      "# TYPE nodejs_gc_duration_seconds histogram",
      `nodejs_gc_duration_seconds_count{kind="minor"} ${requests}`,
      "# HELP doorward_http_requests_total Requests",
      "# TYPE doorward_http_requests_total counter",
      `doorward_http_requests_total{method="GET",route="/a b",status="200"} ${requests}`,
      ...(memory > 1 ? [`doorward_http_requests_total{method="GET",route="/b",status="200"} 1`] : []),
      "",
    ].join("\n");
  const merged = mergeMetrics([
    { worker: "1", text: text(2, 1) },
    { worker: "2", text: text(3, 5) },
  ]).split("\n");
  const expected = [
    'process_resident_memory_bytes{worker="1"} 1',
    'process_resident_memory_bytes{worker="2"} 5',
    'nodejs_gc_duration_seconds_count{kind="minor",worker="1"} 2',
    'doorward_http_requests_total{method="GET",route="/a b",status="200"} 5',
    'doorward_http_requests_total{method="GET",route="/b",status="200"} 1',
  ];
  for (const line of expected) assert.ok(merged.includes(line), `${line} in\n${merged.join("\n")}`);
  assert.equal(merged.filter((line) => line.startsWith("# TYPE doorward_http")).length, 1);
  const counters = countersOf([text(2, 1), text(3, 5)]);
  assert.match(counters, /route="\/a b",status="200"\} 5/);
  assert.doesNotMatch(counters, /memory|nodejs/, "what has ended has no memory");
});
