import type { PageRoute } from "../../page-route.ts";

export const userPages: readonly PageRoute[] = [
  { path: "/users", load: async () => (await import("./users.tsx")).UsersPage },
  { path: "/users/new", load: async () => (await import("./new-user.tsx")).NewUserPage },
  {
    path: "/users/new-service-account",
    load: async () => (await import("./new-service-account.tsx")).NewServiceAccountPage,
  },
  { path: "/users/groups", load: async () => (await import("./group/groups.tsx")).GroupsPage },
  { path: "/users/groups/$groupId", load: async () => (await import("./group/group.tsx")).GroupPage },
  { path: "/users/$userId", load: async () => (await import("./overview.tsx")).UserOverviewPage },
  { path: "/users/$userId/profile", load: async () => (await import("./profile.tsx")).UserProfilePage },
  { path: "/users/$userId/sign-in", load: async () => (await import("./sign-in.tsx")).UserSignInPage },
  { path: "/users/$userId/sessions", load: async () => (await import("./sessions.tsx")).UserSessionsPage },
  {
    path: "/users/$userId/credentials",
    load: async () => (await import("./credential/credentials.tsx")).UserCredentialsPage,
  },
  { path: "/users/$userId/roles", load: async () => (await import("./roles.tsx")).UserRolesPage },
  {
    path: "/users/$userId/administration",
    load: async () => (await import("./administration.tsx")).UserAdministrationPage,
  },
  { path: "/users/$userId/metadata", load: async () => (await import("./metadata.tsx")).UserMetadataPage },
  { path: "/users/$userId/activity", load: async () => (await import("./activity.tsx")).UserActivityPage },
];
