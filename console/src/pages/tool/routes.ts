import type { PageRoute } from "../../page-route.ts";

export const toolPages: readonly PageRoute[] = [
  { path: "/tools", load: async () => (await import("./token-inspector.tsx")).TokenInspectorPage },
  { path: "/tools/request", load: async () => (await import("./request-builder.tsx")).RequestBuilderPage },
  { path: "/tools/explain", load: async () => (await import("./explain-permission.tsx")).ExplainPermissionPage },
];
