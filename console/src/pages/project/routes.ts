import type { PageRoute } from "../../page-route.ts";

export const projectPages: readonly PageRoute[] = [
  { path: "/projects", load: async () => (await import("./project-list.tsx")).ProjectListPage },
  { path: "/projects/$projectId", load: async () => (await import("./project-settings.tsx")).ProjectSettingsPage },
  {
    path: "/projects/$projectId/applications",
    load: async () => (await import("./project-applications.tsx")).ProjectApplicationsPage,
  },
  { path: "/projects/$projectId/roles", load: async () => (await import("./project-roles.tsx")).ProjectRolesPage },
  {
    path: "/projects/$projectId/assignments",
    load: async () => (await import("./project-assignments.tsx")).ProjectAssignmentsPage,
  },
  { path: "/projects/$projectId/grants", load: async () => (await import("./project-grants.tsx")).ProjectGrantsPage },
  {
    path: "/projects/$projectId/resources",
    load: async () => (await import("./project-resources.tsx")).ProjectResourcesPage,
  },
];
