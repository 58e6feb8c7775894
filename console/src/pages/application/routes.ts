import type { PageRoute } from "../../page-route.ts";

export const applicationPages: readonly PageRoute[] = [
  { path: "/applications", load: async () => (await import("./application-list.tsx")).ApplicationListPage },
  { path: "/applications/new", load: async () => (await import("./create-application.tsx")).CreateApplicationPage },
  {
    path: "/applications/$applicationId",
    load: async () => (await import("./application-overview.tsx")).ApplicationOverviewPage,
  },
  {
    path: "/applications/$applicationId/addresses",
    load: async () => (await import("./application-addresses.tsx")).ApplicationAddressesPage,
  },
  {
    path: "/applications/$applicationId/credentials",
    load: async () => (await import("./application-credentials.tsx")).ApplicationCredentialsPage,
  },
  {
    path: "/applications/$applicationId/saml",
    load: async () => (await import("./application-saml.tsx")).ApplicationSamlPage,
  },
  {
    path: "/applications/$applicationId/trust",
    load: async () => (await import("./application-trust.tsx")).ApplicationTrustPage,
  },
  {
    path: "/applications/$applicationId/test",
    load: async () => (await import("./application-test.tsx")).ApplicationTestPage,
  },
  {
    path: "/applications/$applicationId/tokens",
    load: async () => (await import("./application-tokens.tsx")).ApplicationTokensPage,
  },
];
