/** A call as the console makes it. */
export interface ConsoleCall {
  /** The page, and what is asked there. */
  readonly name: string;
  /** `service.user.v2.UserService/ListUsers`. */
  readonly method: string;
  readonly body: object;
  /** Methods of version 1 are about an organization. */
  readonly organizationId?: string;
  /** Whether owners of an organization make it as well, on the same page. */
  readonly isOfOwners?: true;
  /** What is found while the user types. */
  readonly isSearch?: true;
}

const size = 50;

/** The console counts no further. */
export const most = 1000;

/** Returns a page of a list of the console. */
export const page = (number: number, more: object = {}) => ({
  offset: `${number * size}`,
  limit: size,
  countUpTo: most,
  ...more,
});

/** Returns the number of the last page of a list. */
export const lastOf = (total: number): number => Math.max(0, Math.floor((total - 1) / size));

export const service = {
  users: "service.user.v2.UserService",
  organizations: "service.org.v2.OrganizationService",
  projects: "service.project.v2.ProjectService",
  applications: "service.application.v2.ApplicationService",
  authorizations: "service.authorization.v2.AuthorizationService",
  groups: "service.group.v2.GroupService",
  sessions: "service.session.v2.SessionService",
  administrators: "service.internal_permission.v2.InternalPermissionService",
  admin: "service.admin.v1.AdminService",
  attempts: "service.sign_in_attempt.v2.SignInAttemptService",
  statistics: "service.statistics.v2.StatisticsService",
  jobs: "service.job.v2.JobService",
  actions: "service.action.v2.ActionService",
  management: "service.management.v1.ManagementService",
  own: "service.auth.v1.AuthService",
} as const;

export const textMethods = {
  contains: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE",
  startsWith: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE",
} as const;

/** The same for filters. */
export const contains = "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE";
