import type { PageRoute } from "../../page-route.ts";

export const organizationPages: readonly PageRoute[] = [
  { path: "/organizations", load: async () => (await import("./organizations.tsx")).OrganizationsPage },
  { path: "/organizations/new", load: async () => (await import("./new-organization.tsx")).NewOrganizationPage },
  { path: "/organizations/$id", load: async () => (await import("./organization.tsx")).OrganizationPage },
  {
    path: "/organizations/$id/domains",
    load: async () => (await import("./organization-domains.tsx")).OrganizationDomainsPage,
  },
  {
    path: "/organizations/$id/administrators",
    load: async () => (await import("./organization-administrators.tsx")).OrganizationAdministratorsPage,
  },
  {
    path: "/organizations/$id/metadata",
    load: async () => (await import("./organization-metadata.tsx")).OrganizationMetadataPage,
  },
  {
    path: "/organizations/$id/setup-links",
    load: async () => (await import("./setup-links.tsx")).SetupLinksPage,
  },
  {
    path: "/organizations/$id/activity",
    load: async () => (await import("./organization-activity.tsx")).OrganizationActivityPage,
  },
  { path: "/administrators", load: async () => (await import("./administrators.tsx")).AdministratorsPage },
  { path: "/administrators/new", load: async () => (await import("./new-administrator.tsx")).NewAdministratorPage },
];
