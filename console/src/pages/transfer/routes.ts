import type { PageRoute } from "../../page-route.ts";

export const transferPages: readonly PageRoute[] = [
  { path: "/tools/import", load: async () => (await import("./transfer.tsx")).TransferPage },
  { path: "/tools/import/users", load: async () => (await import("./import-users.tsx")).ImportUsersPage },
  {
    path: "/tools/import/organizations",
    load: async () => (await import("./import-organizations.tsx")).ImportOrganizationsPage,
  },
];
