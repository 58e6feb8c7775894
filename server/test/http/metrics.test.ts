import assert from "node:assert/strict";
import { connect } from "node:http2";
import { test } from "node:test";
import { createRequestMetrics } from "../../src/http/request-metrics.ts";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

const request = { method: "GET", route: "/a", status: 200, requestId: "r" };

test("the histogram of a route counts a request in every bucket above its time", () => {
  const metrics = createRequestMetrics();
  for (const milliseconds of [0.5, 30, 9_000]) metrics.observe({ ...request, milliseconds });
  const lines = metrics.write().split("\n");
  const name = "doorward_http_request_duration_seconds";
  assert.ok(lines.includes(`${name}_bucket{le="0.001",route="/a"} 1`));
  assert.ok(lines.includes(`${name}_bucket{le="0.025",route="/a"} 1`));
  assert.ok(lines.includes(`${name}_bucket{le="0.05",route="/a"} 2`));
  assert.ok(lines.includes(`${name}_bucket{le="2.5",route="/a"} 2`));
  assert.ok(lines.includes(`${name}_bucket{le="+Inf",route="/a"} 3`));
  assert.ok(lines.includes(`${name}_count{route="/a"} 3`));
  assert.ok(lines.includes(`${name}_sum{route="/a"} ${0.0005 + 0.03 + 9}`));
});

test("metrics count requests by method, route and status, never by path", async (t) => {
  const server = await startServer(t);
  await fetch(`${server.origin}/oauth/v2/keys`);
  await fetch(`${server.origin}/oauth/v2/keys?a=b`);
  await fetch(`${server.origin}/nowhere/to/be/found`);
  const answer = await fetch(`${server.origin}/debug/metrics`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
  const lines = (await answer.text()).split("\n");
  const name = "doorward_http_requests_total";
  assert.ok(lines.includes(`${name}{method="GET",route="/oauth/v2/keys",status="200"} 2`));
  assert.ok(lines.includes(`${name}{method="GET",route="none",status="404"} 1`));
  assert.ok(lines.some((line) => line.startsWith("process_cpu_seconds_total ")));
  assert.ok(!lines.some((line) => line.includes("nowhere")));
});

test("methods that strangers make up share one label", async (t) => {
  const server = await startServer(t);
  const session = connect(server.origin);
  t.after(() => session.close());
  const ask = (method: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ":method": method, ":path": "/nowhere" });
      stream.on("response", (headers) => resolve(Number(headers[":status"])));
      stream.on("error", reject);
      stream.resume().end();
    });
  assert.equal(await ask("GET"), 404);
  for (let count = 0; count < 20; count++) assert.equal(await ask(`X${count}${"A".repeat(2000)}`), 404);
  const metrics = await (await fetch(`${server.origin}/debug/metrics`)).text();
  const lines = metrics.split("\n").filter((line) => line.startsWith("doorward_http_requests_total{"));
  const ofNoRoute = lines.filter((line) => line.includes('route="none"'));
  const name = "doorward_http_requests_total";
  assert.deepEqual(ofNoRoute.sort(), [
    `${name}{method="GET",route="none",status="404"} 1`,
    `${name}{method="other",route="none",status="404"} 20`,
  ]);
});
