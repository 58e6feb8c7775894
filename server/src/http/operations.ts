import { lazy } from "../base/lazy.ts";
import type { WebResponse, WebRoute } from "../web/index.ts";
import { writeBudgetMetrics } from "./budget-metrics.ts";
import { createJobMetrics, type ObservedJob } from "./job-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import type { Observation } from "./server.ts";

export interface OperationsDeps {
  /** Returns why this process must not receive requests now; empty when it is ready. */
  readonly reasonsNotReady: () => Promise<readonly string[]>;
  /** How often each budget refused since the process started. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface Operations {
  readonly routes: readonly WebRoute[];
  observe(observation: Observation): void;
  /** Reports a run of a job to the metrics. */
  observeJob(run: ObservedJob): void;
}

/**
 * Creates health, readiness and metrics, and the health routes of the v1 APIs. They answer on every host, because load
 * balancers call by address.
 */
export function createOperations(deps: OperationsDeps): Operations {
  const ofProcess = lazy(collectProcessMetrics);
  const requests = createRequestMetrics();
  const jobs = createJobMetrics();
  return {
    observe: requests.observe,
    observeJob: jobs.observe,
    routes: [
      get("/debug/healthz", async () => plain(200, "ok")),
      get("/debug/ready", () => ready(deps)),
      get("/debug/metrics", async () => {
        const registry = await ofProcess();
        return {
          status: 200,
          headers: { "content-type": registry.contentType, "cache-control": "no-store" },
          body: (await registry.metrics()) + jobs.write() + writeBudgetMetrics(deps.refusals) + requests.write(),
        };
      }),
      ...["auth", "management", "admin", "system"].map((area) => get(`/${area}/v1/healthz`, async () => json(200, {}))),
    ],
  };
}

// Loaded with the first look, so that a server without monitoring does not carry it. Garbage collections count from then on.
async function collectProcessMetrics() {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
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
