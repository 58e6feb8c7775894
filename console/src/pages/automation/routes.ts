import type { PageRoute } from "../../page-route.ts";

export const automationPages: readonly PageRoute[] = [
  { path: "/automation", load: async () => (await import("./automation.tsx")).AutomationPage },
  { path: "/automation/targets/new", load: async () => (await import("./target/new-target.tsx")).NewTargetPage },
  { path: "/automation/targets/$targetId", load: async () => (await import("./target/target.tsx")).TargetPage },
  {
    path: "/automation/targets/$targetId/deliveries",
    load: async () => (await import("./target/target-deliveries.tsx")).TargetDeliveriesPage,
  },
  {
    path: "/automation/targets/$targetId/encryption",
    load: async () => (await import("./target/target-keys.tsx")).TargetKeysPage,
  },
  { path: "/automation/executions", load: async () => (await import("./execution/executions.tsx")).ExecutionsPage },
  { path: "/automation/failures", load: async () => (await import("./failures.tsx")).FailuresPage },
  { path: "/automation/scripts", load: async () => (await import("./script/scripts.tsx")).ScriptsPage },
  { path: "/automation/scripts/new", load: async () => (await import("./script/new-script.tsx")).NewScriptPage },
  { path: "/automation/scripts/$scriptId", load: async () => (await import("./script/script.tsx")).ScriptPage },
  { path: "/automation/triggers", load: async () => (await import("./script/triggers.tsx")).TriggersPage },
];
