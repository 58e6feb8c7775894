import { among, at, folded, type Item, type List, type Look, type OwnCases, truth } from "./list.ts";
import type { Things } from "./more-things.ts";

const nth =
  (index: number) =>
  ({ organizations }: Things): string | undefined =>
    organizations[index];

/** The owner of `projects[0]`, which lends it to the two other organizations. */
const owner = nth(1);
/** The organization that got two projects. */
const partner = nth(2);
const home = nth(0);
const lent = ({ projects, grants, organizations: [, , id] }: Things) => ({
  projectId: projects[0],
  grantId: grants.get(`${projects[0]} ${id}`),
});

const milestones = [
  "INSTANCE_CREATED",
  "AUTHENTICATION_SUCCEEDED_ON_INSTANCE",
  "PROJECT_CREATED",
  "APPLICATION_CREATED",
  "AUTHENTICATION_SUCCEEDED_ON_APPLICATION",
  "INSTANCE_DELETED",
].map((type) => `MILESTONE_TYPE_${type}`);

const domains = {
  rows: "result",
  filters: { domainQuery: at("domain"), generatedQuery: truth("generated"), primaryQuery: truth("primary") },
  columns: {
    DOMAIN: at("domain"),
    PRIMARY: at("primary"),
    GENERATED: at("generated"),
    CREATION_DATE: at("details.creationDate"),
  },
} as const satisfies List;

const memberFilters = {
  firstNameQuery: at("firstName"),
  lastNameQuery: at("lastName"),
  emailQuery: at("email"),
  userIdQuery: at("userId"),
} as const;

const members = { rows: "result", filters: memberFilters } as const satisfies List;

const membersOfInstance = {
  ...members,
  columns: {
    USER_ID: at("userId"),
    CREATION_DATE: at("details.creationDate"),
    CHANGE_DATE: at("details.changeDate"),
    USER_RESOURCE_OWNER: at("userResourceOwner"),
  },
} as const satisfies List;

const organizations = {
  rows: "result",
  filters: {
    nameQuery: at("name"),
    domainQuery: ({ id }, { domains: all }) => all.get(id) ?? [],
    stateQuery: at("state"),
    idQuery: at("id"),
  },
  columns: { NAME: folded("name") },
} as const satisfies List;

const metadata = { rows: "result", filters: { keyQuery: at("key") } } as const satisfies List;

const identityProviders = {
  rows: "result",
  filters: { idpIdQuery: at("id"), idpNameQuery: at("name") },
} as const satisfies List;

const memberships = {
  rows: "result",
  filters: {
    orgQuery: at("orgId"),
    projectQuery: at("projectId"),
    projectGrantQuery: at("projectGrantId"),
    iamQuery: truth("iam"),
  },
} as const satisfies List;

const roles = {
  rows: "result",
  filters: { keyQuery: at("key"), displayNameQuery: at("displayName") },
} as const satisfies List;

const grantFilters = {
  projectNameQuery: at("projectName"),
  roleKeyQuery: ({ grantedRoleKeys = [] }: Item) => grantedRoleKeys,
} as const satisfies List["filters"];

const nameOf: Look = ({ human, machine }) => human?.profile.displayName ?? machine.name;

const withGranted: OwnCases = {
  cases: (things) =>
    [true, false].map((wanted) => ({
      filter: { withGrantedQuery: { withGranted: wanted } },
      means: ({ orgId }) => wanted || orgId === owner(things),
    })),
};

const management = "management.v1.ManagementService";

const plain = { rows: "result" } as const satisfies List;

/** Every paged list of v1. */
export const firstLists: Readonly<Record<string, List>> = {
  "admin.v1.AdminService/ListEmailProviders": plain,
  "admin.v1.AdminService/ListSMTPConfigs": plain,
  "admin.v1.AdminService/ListSMSProviders": plain,
  "admin.v1.AdminService/ListLoginPolicyIDPs": { ...plain, isAsChosen: true },
  "auth.v1.AuthService/ListMyUserGrants": plain,
  // Service accounts have no linked accounts.
  "auth.v1.AuthService/ListMyLinkedIDPs": { ...plain, isShort: true },
  [`${management}/ListLoginPolicyIDPs`]: { ...plain, organization: home, isAsChosen: true },
  [`${management}/ListMachineKeys`]: {
    ...plain,
    organization: partner,
    request: ({ machines }) => ({ userId: machines[0] }),
  },
  [`${management}/ListPersonalAccessTokens`]: {
    ...plain,
    organization: partner,
    request: ({ machines }) => ({ userId: machines[0] }),
  },
  [`${management}/ListAppKeys`]: {
    ...plain,
    organization: owner,
    request: ({ projects, applications }) => ({ projectId: projects[0], appId: applications[0] }),
  },
  // There are two, and owners come first.
  [`${management}/ListProjectGrantMemberRoles`]: { ...plain, organization: owner, isShort: true, isAsChosen: true },
  [`${management}/ListHumanLinkedIDPs`]: {
    ...plain,
    organization: owner,
    request: ({ users }) => ({ userId: users[0] }),
  },
  "admin.v1.AdminService/ListIDPs": { ...identityProviders, columns: { NAME: folded("name") } },
  "admin.v1.AdminService/ListProviders": identityProviders,
  "admin.v1.AdminService/ListInstanceDomains": domains,
  "admin.v1.AdminService/ListInstanceTrustedDomains": {
    ...domains,
    filters: { domainQuery: at("domain") },
    alike: ["PRIMARY", "GENERATED"],
  },
  "admin.v1.AdminService/ListIAMMembers": membersOfInstance,
  "admin.v1.AdminService/ListMilestones": {
    rows: "result",
    filters: { isReachedQuery: ({ reachedDate }: Item) => reachedDate !== undefined },
    columns: {
      TYPE: among("type", ...milestones),
      // What is not reached comes after everything that is.
      REACHED_DATE: ({ reachedDate = "later" }) => reachedDate,
    },
  },
  "admin.v1.AdminService/ListOrgs": organizations,
  "admin.v1.AdminService/ListSecretGenerators": {
    rows: "result",
    filters: { typeQuery: at("generatorType") },
  },
  "auth.v1.AuthService/ListMyMemberships": memberships,
  "auth.v1.AuthService/ListMyProjectOrgs": organizations,
  "auth.v1.AuthService/ListMyMetadata": metadata,
  [`${management}/ListOrgIDPs`]: {
    ...identityProviders,
    organization: home,
    filters: { ...identityProviders.filters, ownerTypeQuery: at("owner") },
    columns: { NAME: folded("name") },
  },
  [`${management}/ListProviders`]: {
    ...identityProviders,
    organization: home,
    filters: { ...identityProviders.filters, ownerTypeQuery: at("owner") },
  },
  [`${management}/ListOrgDomains`]: {
    rows: "result",
    organization: home,
    filters: { domainNameQuery: at("domainName") },
  },
  [`${management}/ListOrgMembers`]: { ...members, organization: home },
  [`${management}/ListOrgMetadata`]: { ...metadata, organization: home },
  [`${management}/ListProjects`]: {
    rows: "result",
    organization: owner,
    filters: { nameQuery: at("name"), projectResourceOwnerQuery: at("details.resourceOwner") },
  },
  [`${management}/ListApps`]: {
    rows: "result",
    organization: owner,
    request: ({ projects }) => ({ projectId: projects[0] }),
    filters: { nameQuery: at("name") },
  },
  [`${management}/ListAllProjectGrants`]: {
    rows: "result",
    organization: owner,
    filters: { ...grantFilters, projectIdQuery: at("projectId"), grantedOrgIdQuery: at("grantedOrgId") },
  },
  [`${management}/ListProjectGrants`]: {
    rows: "result",
    organization: owner,
    request: ({ projects }) => ({ projectId: projects[0] }),
    filters: grantFilters,
  },
  [`${management}/ListActions`]: {
    rows: "result",
    organization: home,
    filters: { actionIdQuery: at("id"), actionNameQuery: at("name"), actionStateQuery: at("state") },
    columns: {
      NAME: folded("name"),
      ID: at("id"),
      STATE: ({ state }) => (state === "ACTION_STATE_ACTIVE" ? 2 : 1),
    },
  },
  [`${management}/ListGrantedProjects`]: {
    rows: "result",
    organization: partner,
    filters: { nameQuery: at("projectName"), projectResourceOwnerQuery: at("projectOwnerId") },
  },
  [`${management}/ListProjectMembers`]: {
    ...members,
    organization: owner,
    request: ({ projects }) => ({ projectId: projects[0] }),
  },
  [`${management}/ListProjectGrantMembers`]: { ...members, organization: owner, request: lent },
  [`${management}/ListProjectRoles`]: {
    ...roles,
    organization: owner,
    request: ({ projects }) => ({ projectId: projects[0] }),
  },
  [`${management}/ListGrantedProjectRoles`]: { ...roles, organization: partner, request: lent },
  [`${management}/ListUserMemberships`]: {
    ...memberships,
    organization: owner,
    request: ({ users }) => ({ userId: users[0] }),
  },
  [`${management}/ListUserMetadata`]: {
    ...metadata,
    organization: owner,
    request: ({ users }) => ({ id: users[0] }),
  },
  [`${management}/ListUsers`]: {
    rows: "result",
    organization: home,
    filters: {
      userNameQuery: at("userName"),
      firstNameQuery: at("human.profile.firstName"),
      lastNameQuery: at("human.profile.lastName"),
      nickNameQuery: at("human.profile.nickName"),
      displayNameQuery: nameOf,
      emailQuery: at("human.email.email"),
      stateQuery: at("state"),
      typeQuery: ({ human }) => (human === undefined ? "TYPE_MACHINE" : "TYPE_HUMAN"),
      loginNameQuery: ({ loginNames }) => loginNames,
      inUserIdsQuery: at("id"),
      inUserEmailsQuery: at("human.email.email"),
    },
    columns: {
      USER_NAME: folded("userName"),
      FIRST_NAME: folded("human.profile.firstName"),
      LAST_NAME: folded("human.profile.lastName"),
      NICK_NAME: folded("human.profile.nickName"),
      DISPLAY_NAME: (item) => (item.human?.profile.displayName ?? item.machine.name).toLowerCase(),
      EMAIL: folded("human.email.email"),
      STATE: at("state"),
      TYPE: ({ human }) => (human === undefined ? 1 : 0),
      CREATION_DATE: at("details.creationDate"),
    },
  },
  [`${management}/ListUserGrants`]: {
    rows: "result",
    organization: owner,
    always: [{ withGrantedQuery: { withGranted: true } }],
    filters: {
      projectIdQuery: at("projectId"),
      userIdQuery: at("userId"),
      withGrantedQuery: withGranted,
      roleKeyQuery: ({ roleKeys = [] }) => roleKeys,
      projectGrantIdQuery: at("projectGrantId"),
      userNameQuery: at("userName"),
      firstNameQuery: at("firstName"),
      lastNameQuery: at("lastName"),
      emailQuery: at("email"),
      orgNameQuery: at("orgName"),
      orgDomainQuery: at("orgDomain"),
      projectNameQuery: at("projectName"),
      displayNameQuery: at("displayName"),
      userTypeQuery: at("userType"),
      inUserIdsQuery: at("userId"),
    },
  },
  "system.v1.SystemService/ListInstances": {
    rows: "result",
    isOfSystem: true,
    filters: {
      idQuery: at("id"),
      domainQuery: ({ domains: all = [] }) => all.map(({ domain }: Item) => domain),
    },
    columns: { ID: at("id"), NAME: at("name"), CREATION_DATE: at("details.creationDate") },
  },
  "system.v1.SystemService/ListDomains": {
    ...domains,
    isOfSystem: true,
    request: ({ instances }) => ({ instanceId: instances[0] }),
  },
  "system.v1.SystemService/ListIAMMembers": {
    ...membersOfInstance,
    isOfSystem: true,
    request: ({ instances }) => ({ instanceId: instances[0] }),
  },
};
