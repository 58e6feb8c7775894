import type { PageRoute } from "../../page-route.ts";

export const settingsPages: readonly PageRoute[] = [
  { path: "/settings", load: async () => (await import("./settings-overview.tsx")).SettingsOverview },
  { path: "/settings/keys", load: async () => (await import("./signing-keys.tsx")).SigningKeysPage },
  { path: "/settings/saml-keys", load: async () => (await import("./saml-keys.tsx")).SamlKeysPage },
  { path: "/settings/mail", load: async () => (await import("./message/mail-servers.tsx")).MailServersPage },
  { path: "/settings/sms", load: async () => (await import("./message/sms-providers.tsx")).SmsProvidersPage },
  { path: "/settings/features", load: async () => (await import("./instance/features.tsx")).FeaturesPage },
  { path: "/settings/codes", load: async () => (await import("./instance/codes.tsx")).CodesPage },
  { path: "/settings/providers", load: async () => (await import("./provider/providers-page.tsx")).ProvidersPage },
  {
    path: "/settings/providers/new",
    load: async () => (await import("./provider/new-provider.tsx")).ProviderKindsPage,
  },
  {
    path: "/settings/providers/new/$kind",
    load: async () => (await import("./provider/new-provider.tsx")).NewProviderPage,
  },
  {
    path: "/settings/providers/$providerId",
    load: async () => (await import("./provider/provider-page.tsx")).ProviderPage,
  },
  { path: "/settings/$document", load: async () => (await import("./settings-page.tsx")).SettingsPage },
];
