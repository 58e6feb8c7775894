import type { WebResponse } from "../web/index.ts";

/** What a process, or all workers of one, can report to its operators. */
export interface OperationsReport {
  /** Returns why no requests should be sent now; empty when all is ready. */
  reasonsNotReady(): Promise<readonly string[]>;
  /** Returns the metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
}

/** The paths of the operations endpoints. */
export const operationsPaths = ["/debug/healthz", "/debug/ready", "/debug/metrics"] as const;
type OperationsPath = (typeof operationsPaths)[number];

/** Whether a path is that of an operations endpoint. */
export const isOperationsPath = (path: string): path is OperationsPath =>
  (operationsPaths as readonly string[]).includes(path);

/** Answers an operations endpoint. */
export async function answerOperations(
  report: OperationsReport,
  path: OperationsPath,
  { showsReasons }: { readonly showsReasons: boolean },
): Promise<WebResponse> {
  switch (path) {
    case "/debug/healthz":
      return text("text/plain; charset=utf-8", "ok");
    case "/debug/ready": {
      const reasons = await report.reasonsNotReady();
      if (reasons.length === 0) return json(200, { status: "ready" });
      return json(503, { status: "not ready", ...(showsReasons && { reasons }) });
    }
    case "/debug/metrics":
      // Prometheus text-based format 0.0.4.
      return text("text/plain; version=0.0.4; charset=utf-8", await report.metrics());
    default:
      return path satisfies never;
  }
}

const text = (type: string, body: string): WebResponse => ({
  status: 200,
  headers: { "content-type": type, "cache-control": "no-store" },
  body,
});

const json = (status: number, body: object): WebResponse => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body),
});
