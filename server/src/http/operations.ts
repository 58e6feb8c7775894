import { lazy } from "../base/lazy.ts";
import type { WebResponse, WebRoute } from "../web/index.ts";
import { writeBudgetMetrics } from "./budget-metrics.ts";
import { createJobMetrics, type ObservedJob } from "./job-metrics.ts";
import { answerOperations, type OperationsReport, operationsPaths } from "./operations-answer.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import type { Observation } from "./server.ts";

export interface OperationsDeps {
  /** Returns why this process must not receive requests now; empty when it is ready. */
  readonly reasonsNotReady: () => Promise<readonly string[]>;
  /** How often each budget refused since the process started. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Whether the public port has the metrics as well: in development. */
  readonly showsMetrics: boolean;
}

export interface Operations {
  /** The routes of the public port. */
  readonly routes: readonly WebRoute[];
  /** What the operations endpoints report about this process. */
  readonly report: OperationsReport;
  observe(observation: Observation): void;
  /** Reports a run of a job to the metrics. */
  observeJob(run: ObservedJob): void;
}

/**
 * Creates health, readiness and metrics, and the health routes of the v1 APIs. They answer on every host, because load
 * balancers call by address. Strangers reach the public port, so there readiness comes without reasons, and metrics
 * only in development: they tell which routes are used how much, and what fails.
 */
export function createOperations({ reasonsNotReady, refusals, showsMetrics }: OperationsDeps): Operations {
  const ofProcess = lazy(collectProcessMetrics);
  const requests = createRequestMetrics();
  const jobs = createJobMetrics();
  const report: OperationsReport = {
    reasonsNotReady,
    metrics: async () =>
      (await (await ofProcess()).metrics()) + jobs.write() + writeBudgetMetrics(refusals) + requests.write(),
  };
  return {
    observe: requests.observe,
    observeJob: jobs.observe,
    report,
    routes: [
      ...operationsPaths
        .filter((path) => showsMetrics || path !== "/debug/metrics")
        .map((path) => get(path, () => answerOperations(report, path, { showsReasons: false }))),
      ...["auth", "management", "admin", "system"].map((area) => get(`/${area}/v1/healthz`, async () => json(200, {}))),
    ],
  };
}

// Loaded with the first look, so that a server without monitoring does not carry it. Garbage collections count from
// then on.
async function collectProcessMetrics() {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

const get = (path: string, handler: () => Promise<WebResponse>): WebRoute => ({
  methods: ["GET"],
  path,
  handler,
  protocol: "plain",
  isInstanceless: true,
});

const json = (status: number, body: object): WebResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body),
});
