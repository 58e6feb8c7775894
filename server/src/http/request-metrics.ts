import type { Observation } from "./server.ts";

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const requestsName = "doorward_http_requests_total";
const durationsName = "doorward_http_request_duration_seconds";

/** The counts of a route. */
interface RouteCounts {
  /** By method and status (`GET 200`). */
  readonly answers: Map<string, { readonly method: string; readonly status: number; count: number }>;
  /** Requests per bucket, not cumulative; the last is for those above all bounds. */
  readonly buckets: number[];
  sumSeconds: number;
}

export interface RequestMetrics {
  observe(observation: Pick<Observation, "method" | "route" | "status" | "milliseconds">): void;
  /** Returns both metrics in the text format of Prometheus. */
  write(): string;
}

/**
 * Counts answered requests and their duration. Adds them up in plain numbers, because the library's metrics build a
 * text of their labels as a key for each request.
 */
export function createRequestMetrics(): RequestMetrics {
  const routes = new Map<string, RouteCounts>();
  return {
    observe: ({ method, route, status, milliseconds }) => {
      let counts = routes.get(route);
      if (counts === undefined) {
        counts = { answers: new Map(), buckets: new Array<number>(bounds.length + 1).fill(0), sumSeconds: 0 };
        routes.set(route, counts);
      }
      const key = `${method} ${status}`;
      const answer = counts.answers.get(key);
      if (answer === undefined) counts.answers.set(key, { method, status, count: 1 });
      else answer.count++;
      const seconds = milliseconds / 1000;
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      const index = bucket < 0 ? bounds.length : bucket;
      counts.buckets[index] = (counts.buckets[index] ?? 0) + 1;
      counts.sumSeconds += seconds;
    },
    write: () =>
      [
        `# HELP ${requestsName} Answered requests by method, route and status`,
        `# TYPE ${requestsName} counter`,
        ...[...routes].flatMap(([route, counts]) => requestLines(route, counts)),
        `# HELP ${durationsName} Time from the request's headers to its answer`,
        `# TYPE ${durationsName} histogram`,
        ...[...routes].flatMap(([route, counts]) => durationLines(route, counts)),
        "",
      ].join("\n"),
  };
}

// Methods and routes are words of the program and need no escaping.
const requestLines = (route: string, { answers }: RouteCounts): string[] =>
  [...answers.values()].map(
    ({ method, status, count }) => `${requestsName}{method="${method}",route="${route}",status="${status}"} ${count}`,
  );

function durationLines(route: string, { buckets, sumSeconds }: RouteCounts): string[] {
  let count = 0;
  const lines = buckets.map((inBucket, index) => {
    count += inBucket;
    return `${durationsName}_bucket{le="${bounds[index] ?? "+Inf"}",route="${route}"} ${count}`;
  });
  return [
    ...lines,
    `${durationsName}_sum{route="${route}"} ${sumSeconds}`,
    `${durationsName}_count{route="${route}"} ${count}`,
  ];
}
