import type { PageRoute } from "../../page-route.ts";

export const activityPages: readonly PageRoute[] = [
  { path: "/activity", load: async () => (await import("./activity.tsx")).ActivityPage },
  { path: "/activity/event", load: async () => (await import("./event.tsx")).EventPage },
];
