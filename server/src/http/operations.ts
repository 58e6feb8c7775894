import { collectDefaultMetrics, Registry } from "prom-client";
import type { WebResponse, WebRoute } from "../web/index.ts";
import { createJobMetrics, type ObservedJob } from "./job-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import type { Observation } from "./server.ts";

export interface OperationsDeps {
  /** Reasons why this process must not get requests now; none when it is ready. */
  readonly reasonsNotReady: () => Promise<readonly string[]>;
}

export interface Operations {
  readonly routes: readonly WebRoute[];
  observe(observation: Observation): void;
  /** Shows a run of a job in the metrics. */
  observeJob(run: ObservedJob): void;
}

/** Health, readiness and metrics, and the health routes of the v1 APIs. They answer on every host, because load balancers call by address. */
export function createOperations(deps: OperationsDeps): Operations {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = createRequestMetrics();
  const observeJob = createJobMetrics(registry);
  return {
    observe: requests.observe,
    observeJob,
    routes: [
      get("/debug/healthz", async () => plain(200, "ok")),
      get("/debug/ready", () => ready(deps)),
      get("/debug/metrics", async () => ({
        status: 200,
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
        body: (await registry.metrics()) + requests.write(),
      })),
      ...["auth", "management", "admin", "system"].map((area) => get(`/${area}/v1/healthz`, async () => json(200, {}))),
    ],
  };
}

async function ready(deps: OperationsDeps): Promise<WebResponse> {
  const reasons = await deps.reasonsNotReady();
  return reasons.length === 0 ? json(200, { status: "ready" }) : json(503, { status: "not ready", reasons });
}

const get = (path: string, handler: () => Promise<WebResponse>): WebRoute => ({
  methods: ["GET"],
  path,
  handler,
  protocol: "plain",
  isInstanceless: true,
});

const plain = (status: number, body: string): WebResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body,
});

const json = (status: number, body: object): WebResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body),
});
