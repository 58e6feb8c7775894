import type { PageRoute } from "../../page-route.ts";

export const toolPages: readonly PageRoute[] = [
  { path: "/tools", load: async () => (await import("./token-inspector.tsx")).TokenInspectorPage },
  { path: "/tools/explain", load: async () => (await import("./explain-permission.tsx")).ExplainPermissionPage },
];
