import type { PageRoute } from "../../page-route.ts";

export const settingsPages: readonly PageRoute[] = [
  { path: "/settings", load: async () => (await import("./settings-overview.tsx")).SettingsOverview },
  { path: "/settings/keys", load: async () => (await import("./signing-keys.tsx")).SigningKeysPage },
  { path: "/settings/mail", load: async () => (await import("./mail-servers.tsx")).MailServersPage },
  { path: "/settings/providers", load: async () => (await import("./provider/providers-page.tsx")).ProvidersPage },
  { path: "/settings/$document", load: async () => (await import("./settings-page.tsx")).SettingsPage },
];
