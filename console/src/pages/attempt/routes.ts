import type { PageRoute } from "../../page-route.ts";

export const attemptPages: readonly PageRoute[] = [
  { path: "/activity/sign-ins", load: async () => (await import("./attempts.tsx")).AttemptsPage },
  { path: "/activity/sign-ins/$attemptId", load: async () => (await import("./attempt.tsx")).AttemptPage },
];
