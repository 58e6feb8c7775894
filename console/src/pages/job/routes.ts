import type { PageRoute } from "../../page-route.ts";

export const jobPages: readonly PageRoute[] = [
  { path: "/tools/jobs", load: async () => (await import("./jobs.tsx")).JobsPage },
  { path: "/tools/jobs/$jobId", load: async () => (await import("./job.tsx")).JobPage },
];
