import { personOf } from "../scale/people.ts";
import { activityCalls, attemptCalls, otherCalls } from "./activity-calls.ts";
import { type ConsoleCall, contains, lastOf, most, page, service, textMethods } from "./console-call.ts";
import { pickerCalls, searchCalls } from "./find-calls.ts";
import { type Amounts, idAt, type Made } from "./instance.ts";
import { groupCalls, userCalls, userPageCalls } from "./user-calls.ts";

/** Returns every call of the console whose cost could grow with an instance. */
export function callsOf(made: Made, amounts: Amounts): readonly ConsoleCall[] {
  return [
    ...homeCalls(),
    ...userCalls(made, amounts),
    ...userPageCalls(amounts),
    ...groupCalls(amounts),
    ...organizationCalls(amounts),
    ...administratorCalls(amounts),
    ...projectCalls(made, amounts),
    ...applicationCalls(amounts),
    ...activityCalls(amounts),
    ...attemptCalls(amounts),
    ...otherCalls(made, amounts),
    ...searchCalls(amounts),
    ...pickerCalls(amounts),
  ];
}

function homeCalls(): ConsoleCall[] {
  const since = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const usage = (range: string, granularity: string, days: number): ConsoleCall => ({
    name: `home: charts of ${range}`,
    method: `${service.statistics}/ListStatistics`,
    body: { granularity: `STATISTIC_GRANULARITY_${granularity}`, startDate: since(days) },
  });
  return [
    { name: "home: own memberships", method: `${service.own}/ListMyMemberships`, body: {} },
    { name: "home: milestones", method: `${service.admin}/ListMilestones`, body: {} },
    {
      name: "home: owners of the instance",
      method: `${service.administrators}/ListAdministrators`,
      body: { pagination: { limit: 2, countUpTo: most }, filters: [{ resource: { instance: true } }] },
    },
    { name: "home: newest events", method: `${service.admin}/ListEvents`, body: { limit: 100 } },
    {
      name: "home: recent failures",
      method: `${service.attempts}/ListSignInAttempts`,
      body: { pagination: { limit: 5, countUpTo: most }, filters: [{ hasFailedFilter: { hasFailed: true } }] },
    },
    usage("24 hours", "HOUR", 1),
    usage("30 days", "DAY", 30),
    usage("12 months", "MONTH", 365),
  ];
}

function organizationCalls({ organizations }: Amounts): ConsoleCall[] {
  const list = (name: string, queries: object[], at = 0, by = "NAME"): ConsoleCall => ({
    name: `organizations: ${name}`,
    method: `${service.organizations}/ListOrganizations`,
    body: { query: page(at, { asc: true }), sortingColumn: `ORGANIZATION_FIELD_NAME_${by}`, queries },
    isOfOwners: true,
  });
  const named = (name: string): object => ({ nameQuery: { name, method: textMethods.contains } });
  const organizationId = idAt("organization", 0);
  return [
    list("first page", []),
    list("last page", [], lastOf(organizations)),
    list("by creation", [], 0, "CREATION_DATE"),
    list("with a name", [named("42")]),
    list("with a name of none", [named("zzxxqq")]),
    list("with a domain", [{ domainQuery: { domain: "y42.ex", method: textMethods.contains } }]),
    list("of the users of a page", [
      { inIdsQuery: { ids: Array.from({ length: 50 }, (_each, number) => idAt("organization", number)) } },
    ]),
    list("with an id", [{ idQuery: { id: idAt("organization", 7) } }]),
    list("inactive", [{ stateQuery: { state: "ORGANIZATION_STATE_INACTIVE" } }]),
    {
      name: "organization: how many users",
      method: `${service.users}/ListUsers`,
      body: { query: { limit: 1, countUpTo: most }, queries: [{ organizationIdQuery: { organizationId } }] },
    },
    {
      name: "organization: domains",
      method: `${service.organizations}/ListOrganizationDomains`,
      body: { organizationId, pagination: page(0) },
    },
    {
      name: "organization: metadata",
      method: `${service.organizations}/ListOrganizationMetadata`,
      body: { organizationId, pagination: page(0) },
    },
    {
      name: "organization: setup links",
      method: "service.setup_link.v2.SetupLinkService/ListSetupLinks",
      body: { organizationId, pagination: page(0) },
    },
    {
      name: "organization: charts",
      method: `${service.statistics}/ListStatistics`,
      body: { organizationId, granularity: "STATISTIC_GRANULARITY_DAY" },
    },
  ];
}

function administratorCalls({ organizations }: Amounts): ConsoleCall[] {
  const list = (name: string, filters: object[], at = 0): ConsoleCall => ({
    name: `administrators: ${name}`,
    method: `${service.administrators}/ListAdministrators`,
    body: { pagination: page(at), sortingColumn: "ADMINISTRATOR_FIELD_NAME_CREATION_DATE", filters },
    isOfOwners: true,
  });
  const method = contains;
  const named = (text: string): object => ({
    or: {
      queries: [
        { userDisplayName: { displayName: text, method } },
        { userPreferredLoginName: { preferredLoginName: text, method } },
      ],
    },
  });
  return [
    list("first page", []),
    list("last page", [], lastOf(5 * organizations)),
    list("of an organization", [{ resource: { organizationId: idAt("organization", 7) } }]),
    list("with a role", [{ role: { roleKey: "ORG_OWNER" } }]),
    list("with a name", [named("berg")]),
    list("with a name of none", [named("zzxxqq")]),
  ];
}

function projectCalls({ projectId }: Made, { projects, users }: Amounts): ConsoleCall[] {
  const method = contains;
  const list = (name: string, filters: object[], at = 0): ConsoleCall => ({
    name: `projects: ${name}`,
    method: `${service.projects}/ListProjects`,
    body: { pagination: page(at, { asc: true }), sortingColumn: "PROJECT_FIELD_NAME_NAME", filters },
    isOfOwners: true,
  });
  const assignments = (name: string, filters: object[], at = 0): ConsoleCall => ({
    name: `project: assignments, ${name}`,
    method: `${service.authorizations}/ListAuthorizations`,
    body: { pagination: page(at), filters: [{ projectId: { id: projectId } }, ...filters] },
  });
  const named = (displayName: string): object => ({ userDisplayName: { displayName, method } });
  return [
    list("first page", []),
    list("last page", [], lastOf(4 * projects)),
    list("with a name", [{ projectNameFilter: { projectName: "42", method } }]),
    list("of an organization", [{ organizationIdFilter: { organizationId: idAt("organization", 7) } }]),
    { name: "project", method: `${service.projects}/GetProject`, body: { projectId } },
    {
      name: "project: grants",
      method: `${service.projects}/ListProjectGrants`,
      body: { pagination: page(0), filters: [{ inProjectIdsFilter: { ids: [idAt("project", 7)] } }] },
    },
    {
      name: "project: roles",
      method: `${service.projects}/ListProjectRoles`,
      body: { projectId, pagination: page(0, { asc: true }) },
    },
    assignments("first page", []),
    assignments("last page", [], lastOf(users / 10)),
    assignments("a name of few", [named(personOf(Math.floor(users / 20) * 10).familyName)]),
    assignments("a name of a twelfth", [named("berg")]),
    assignments("a text of all", [named("a")]),
    assignments("a text of none", [named("zzxxqq")]),
    assignments("two letters of none", [named("zq")]),
  ];
}

function applicationCalls({ applications }: Amounts): ConsoleCall[] {
  const method = contains;
  const list = (name: string, filters: object[], at = 0): ConsoleCall => ({
    name: `applications: ${name}`,
    method: `${service.applications}/ListApplications`,
    body: { pagination: page(at, { asc: true }), sortingColumn: "APPLICATION_SORT_BY_NAME", filters },
    isOfOwners: true,
  });
  const applicationId = idAt("application", 7);
  return [
    list("first page", []),
    list("last page", [], lastOf(applications)),
    list("with a name", [{ nameFilter: { name: "42", method } }]),
    list("with a client id", [{ clientIdFilter: { clientId: applicationId } }]),
    list("of a project", [{ projectIdFilter: { projectId: idAt("project", 7) } }]),
    list("inactive", [{ stateFilter: "APPLICATION_STATE_INACTIVE" }]),
    list("for SAML", [{ typeFilter: "APPLICATION_TYPE_SAML" }]),
    { name: "application", method: `${service.applications}/GetApplication`, body: { applicationId } },
    {
      name: "application: keys",
      method: `${service.applications}/ListApplicationKeys`,
      body: { filters: [{ applicationIdFilter: { applicationId } }], pagination: page(0) },
    },
  ];
}
