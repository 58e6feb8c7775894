import { among, at, folded, type Item, type List, type Look, type OwnCases, truth } from "./list.ts";
import { ofOrganization, resources } from "./resource-cases.ts";

const seconds = (path: string) => (item: Item) => Number.parseFloat(String(at(path)(item)));
const dates = { CREATION_DATE: at("creationDate"), CHANGE_DATE: at("changeDate") };
const owned = { organizationIdFilter: at("organizationId") };
const createdAndChanged = { CREATED_DATE: at("creationDate"), CHANGED_DATE: at("changeDate") };
const kindOf = ({ restWebhook, restCall }: Item): number => (restWebhook ? 2 : restCall ? 1 : 0);

const nameOf = ({ human, machine }: Item): string => human?.profile.displayName ?? machine.name;

const ofCredential = (id: string): NonNullable<List["filters"]> => ({
  [id]: at("id"),
  userIdFilter: at("userId"),
  organizationIdFilter: at("organizationId"),
  createdDateFilter: at("creationDate"),
  expirationDateFilter: at("expirationDate"),
});

const conditions: OwnCases = {
  cases: (_things, items) =>
    [items.slice(0, 1), items.slice(1)].map((some) => ({
      filter: { inConditionsFilter: { conditions: some.map(({ condition }) => condition) } },
      means: (item) => some.includes(item),
    })),
};

const isDefault: OwnCases = {
  cases: () => [{ filter: { defaultQuery: {} }, means: ({ name }) => name === "Doorward" }],
};

const nothing = (filter: object): OwnCases => ({ isEven: true, cases: () => [{ filter, means: () => false }] });

const isBlocked = ({ state, human }: Item): boolean =>
  state === "USER_STATE_LOCKED" || human?.passwordBlocked !== undefined;

const metadataOf: Look = ({ userId }, { metadata }) => (metadata.get(userId) ?? []).map(({ key }) => key);

const linkedTo: Look = ({ userId }, { users, linkedProviders }) => (userId === users[0] ? linkedProviders : []);

const metadataValues: OwnCases = {
  cases: ({ metadata }) =>
    ["AAEC", "AwQF"].flatMap((value) => {
      const has = ({ userId }: Item): boolean => metadata.get(userId)?.some((pair) => pair.value === value) ?? false;
      return [
        { filter: { metadataValueFilter: { value } }, means: has },
        {
          filter: { metadataValueFilter: { value, method: "BYTE_FILTER_METHOD_NOT_EQUALS" } },
          means: ({ userId }: Item) => metadata.get(userId)?.some((pair) => pair.value !== value) ?? false,
        },
      ];
    }),
};

const credential = {
  CREATED_DATE: at("creationDate"),
  ID: at("id"),
  USER_ID: at("userId"),
  ORGANIZATION_ID: at("organizationId"),
};

/** Every list of the second generation that comes in pages. */
export const lists: Readonly<Record<string, List>> = {
  "action.v2.ActionService/ListExecutions": {
    rows: "executions",
    // An id begins with what kind of condition it is.
    filters: {
      inConditionsFilter: conditions,
      executionTypeFilter: ({ condition }) =>
        `EXECUTION_TYPE_${Object.keys(condition as object)
          .join()
          .toUpperCase()}`,
      targetFilter: ({ targets }) => targets,
    },
    columns: { ...createdAndChanged, ID: ({ condition }) => Object.keys(condition as object).join() },
  },
  "action.v2.ActionService/ListPublicKeys": {
    rows: "publicKeys",
    request: ({ targets }) => ({ targetId: targets[0] }),
    filters: { keyIdsFilter: at("keyId"), activeFilter: truth("active"), expirationDateFilter: at("expirationDate") },
    columns: { ...dates, EXPIRATION_DATE: at("expirationDate") },
  },
  "action.v2.ActionService/ListTargets": {
    rows: "targets",
    filters: { targetNameFilter: at("name"), inTargetIdsFilter: at("id") },
    columns: {
      ...createdAndChanged,
      ID: at("id"),
      NAME: at("name"),
      URL: at("endpoint"),
      TIMEOUT: seconds("timeout"),
      TARGET_TYPE: kindOf,
      INTERRUPT_ON_ERROR: ({ restCall, restWebhook }) => Number((restCall ?? restWebhook)?.interruptOnError ?? false),
    },
  },
  "application.v2.ApplicationService/ListApplicationKeys": {
    rows: "keys",
    alike: ["TYPE"],
    filters: {
      applicationIdFilter: at("applicationId"),
      projectIdFilter: at("projectId"),
      organizationIdFilter: at("organizationId"),
    },
    columns: {
      ID: at("keyId"),
      PROJECT_ID: at("projectId"),
      APPLICATION_ID: at("applicationId"),
      TYPE: () => 0,
      CREATION_DATE: at("creationDate"),
      ORGANIZATION_ID: at("organizationId"),
      EXPIRATION: at("expirationDate"),
    },
  },
  "application.v2.ApplicationService/ListApplications": {
    rows: "applications",
    filters: {
      projectIdFilter: at("projectId"),
      nameFilter: at("name"),
      stateFilter: at("state"),
      typeFilter: ({ apiConfiguration }) =>
        apiConfiguration === undefined ? "APPLICATION_TYPE_OIDC" : "APPLICATION_TYPE_API",
      clientIdFilter: ({ apiConfiguration, oidcConfiguration }) => (apiConfiguration ?? oidcConfiguration).clientId,
      entityIdFilter: nothing({ entityIdFilter: { entityId: "https://unknown.example" } }),
    },
    columns: { ...dates, ID: at("applicationId"), NAME: at("name"), STATE: at("state") },
  },
  "authorization.v2.AuthorizationService/ListAuthorizations": {
    rows: "authorizations",
    filters: {
      authorizationIds: at("id"),
      organizationId: at("organization.id"),
      state: at("state"),
      inUserIds: at("user.id"),
      userOrganizationId: at("user.organizationId"),
      userPreferredLoginName: at("user.preferredLoginName"),
      userDisplayName: at("user.displayName"),
      projectId: at("project.id"),
      projectName: at("project.name"),
      roleKey: ({ roles = [] }) => roles.map(({ key }: Item) => key),
      projectGrantId: ({ project, organization }, { grants }) => grants.get(`${project.id} ${organization.id}`),
      inGroupIds: at("group.id"),
    },
    columns: {
      ...createdAndChanged,
      ID: at("id"),
      USER_ID: at("user.id"),
      PROJECT_ID: at("project.id"),
      ORGANIZATION_ID: at("organization.id"),
      USER_ORGANIZATION_ID: at("user.organizationId"),
    },
  },
  "group.v2.GroupService/ListGroups": {
    rows: "groups",
    filters: { groupIds: at("id"), nameFilter: at("name"), organizationId: at("organizationId") },
    columns: { ...dates, ID: at("id"), NAME: at("name") },
  },
  "group.v2.GroupService/ListGroupUsers": {
    rows: "groupUsers",
    filters: { userIds: at("user.id"), groupIds: at("groupId") },
    columns: { USER_ID: at("user.id"), GROUP_ID: at("groupId"), CREATION_DATE: at("creationDate") },
  },
  "resource.v2.ResourceService/ListResources": {
    rows: "resources",
    filters: {
      resourceIds: at("id"),
      projectId: at("projectId"),
      organizationId: at("organizationId"),
      nameFilter: at("name"),
      uriFilter: at("uri"),
    },
    columns: { ...dates, ID: at("id"), NAME: at("name") },
  },
  "instance.v2.InstanceService/ListCustomDomains": {
    rows: "domains",
    request: ({ instances }) => ({ instanceId: instances[0] }),
    filters: { domainFilter: at("domain"), generatedFilter: truth("generated"), primaryFilter: truth("primary") },
    columns: {
      DOMAIN: at("domain"),
      PRIMARY: at("primary"),
      GENERATED: at("generated"),
      CREATION_DATE: at("creationDate"),
    },
  },
  "instance.v2.InstanceService/ListTrustedDomains": {
    rows: "trustedDomain",
    filters: { domainFilter: at("domain") },
    columns: { DOMAIN: at("domain"), CREATION_DATE: at("creationDate") },
  },
  "instance.v2.InstanceService/ListInstances": {
    rows: "instances",
    filters: {
      inIdsFilter: at("id"),
      customDomainsFilter: ({ customDomains = [] }) => customDomains.map(({ domain }: Item) => domain),
    },
    columns: { ID: at("id"), NAME: at("name"), CREATION_DATE: at("creationDate") },
    isOfSystem: true,
  },
  "internal_permission.v2.InternalPermissionService/ListAdministrators": {
    rows: "administrators",
    filters: {
      creationDate: at("creationDate"),
      changeDate: at("changeDate"),
      inUserIdsFilter: at("user.id"),
      userOrganizationId: at("user.organizationId"),
      userPreferredLoginName: at("user.preferredLoginName"),
      userDisplayName: at("user.displayName"),
      resource: resources,
      role: ({ roles }) => roles,
    },
    columns: { ...dates, USER_ID: at("user.id") },
  },
  "org.v2.OrganizationService/ListOrganizationDomains": {
    rows: "domains",
    request: ({ organizations }) => ({ organizationId: organizations[0] }),
    // The record has no date; the first one comes with the organization.
    filters: { domainFilter: at("domain") },
    columns: {
      NAME: at("domain"),
      CREATION_DATE: among("domain", "beta.localhost", "beta.example", "gamma.example", "alpha.example"),
    },
  },
  "org.v2.OrganizationService/ListOrganizations": {
    rows: "result",
    filters: {
      nameQuery: at("name"),
      domainQuery: ({ id }, { domains }) => domains.get(id) ?? [],
      stateQuery: at("state"),
      idQuery: at("id"),
      inIdsQuery: at("id"),
      defaultQuery: isDefault,
    },
    columns: { NAME: folded("name"), CREATION_DATE: at("details.creationDate") },
  },
  "project.v2.ProjectService/ListProjects": {
    rows: "projects",
    filters: {
      projectNameFilter: at("name"),
      inProjectIdsFilter: at("projectId"),
      organizationIdFilter: ofOrganization,
    },
    columns: { ...dates, ID: at("projectId"), NAME: at("name") },
  },
  "project.v2.ProjectService/ListProjectGrants": {
    rows: "projectGrants",
    filters: {
      projectNameFilter: at("projectName"),
      roleKeyFilter: ({ grantedRoleKeys = [] }) => grantedRoleKeys,
      inProjectIdsFilter: at("projectId"),
      organizationIdFilter: at("organizationId"),
      grantedOrganizationIdFilter: at("grantedOrganizationId"),
    },
    columns: { ...dates, PROJECT_ID: at("projectId") },
  },
  "project.v2.ProjectService/ListProjectRoles": {
    rows: "projectRoles",
    request: ({ projects }) => ({ projectId: projects[0] }),
    filters: { roleKeyFilter: at("key"), displayNameFilter: at("displayName") },
    columns: { ...dates, KEY: at("key") },
  },
  "session.v2.SessionService/ListSessions": {
    rows: "sessions",
    filters: {
      idsQuery: at("id"),
      userIdQuery: at("factors.user.id"),
      creationDateQuery: at("creationDate"),
      creatorQuery: ({ id }, { owner, sessionsOfAnother, creator }) => (sessionsOfAnother.has(id) ? creator : owner),
      userAgentQuery: at("userAgent.fingerprintId"),
      expirationDateQuery: ({ expirationDate }) => expirationDate,
    },
    columns: { CREATION_DATE: at("creationDate") },
  },
  "sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts": {
    rows: "attempts",
    filters: {
      inIdsFilter: at("id"),
      userIdFilter: at("user.id"),
      organizationIdFilter: at("user.organizationId"),
      clientIdFilter: nothing({ clientIdFilter: { clientId: "unknown" } }),
      resultFilter: at("result"),
      hasFailedFilter: truth("hasFailed"),
      referenceFilter: at("reference"),
      startDateFilter: at("startDate"),
    },
  },
  "setup_link.v2.SetupLinkService/ListSetupLinks": {
    rows: "links",
    request: ({ organizations }) => ({ organizationId: organizations[0] }),
  },
  "saved_view.v2.SavedViewService/ListSavedViews": { rows: "views" },
  "job.v2.JobService/ListJobs": {
    rows: "jobs",
    filters: { inIdsFilter: at("id"), creatorIdFilter: at("creatorId"), stateFilter: at("state"), ...owned },
  },
  "job.v2.JobService/ListJobResults": { rows: "results", request: ({ job }) => ({ id: job }), isAsChosen: true },
  "settings.v2.SettingsService/ListOrganizationSettings": {
    rows: "organizationSettings",
    filters: {
      inOrganizationIdsFilter: at("organizationId"),
      organizationScopedUsernamesFilter: truth("organizationScopedUsernames"),
    },
    columns: { ...dates, ORGANIZATION_ID: at("organizationId") },
  },
  "user.v2.UserService/ListKeys": {
    rows: "result",
    filters: ofCredential("keyIdFilter"),
    columns: { ...credential, KEY_EXPIRATION_DATE: at("expirationDate") },
  },
  "user.v2.UserService/ListPersonalAccessTokens": {
    rows: "result",
    filters: ofCredential("tokenIdFilter"),
    columns: { ...credential, EXPIRATION_DATE: at("expirationDate") },
  },
  "user.v2.UserService/ListUsers": {
    rows: "result",
    filters: {
      userNameQuery: at("username"),
      firstNameQuery: at("human.profile.givenName"),
      lastNameQuery: at("human.profile.familyName"),
      nickNameQuery: at("human.profile.nickName"),
      displayNameQuery: nameOf,
      emailQuery: at("human.email.email"),
      stateQuery: at("state"),
      typeQuery: ({ human }) => (human === undefined ? "TYPE_MACHINE" : "TYPE_HUMAN"),
      loginNameQuery: ({ loginNames }) => loginNames,
      inUserIdsQuery: at("userId"),
      inUserEmailsQuery: at("human.email.email"),
      organizationIdQuery: at("details.resourceOwner"),
      phoneQuery: at("human.phone.phone"),
      identityProviderIdQuery: linkedTo,
      metadataKeyFilter: metadataOf,
      metadataValueFilter: metadataValues,
      blockedQuery: { cases: () => [{ filter: { blockedQuery: {} }, means: isBlocked }] },
    },
    columns: {
      USER_NAME: folded("username"),
      FIRST_NAME: folded("human.profile.givenName"),
      LAST_NAME: folded("human.profile.familyName"),
      NICK_NAME: folded("human.profile.nickName"),
      EMAIL: folded("human.email.email"),
      CREATION_DATE: at("details.creationDate"),
      DISPLAY_NAME: (item) => nameOf(item).toLowerCase(),
      STATE: at("state"),
      TYPE: ({ human }) => (human === undefined ? 1 : 0),
    },
  },
  // What was sent is the matter of the tests of actions.
  "action.v2.ActionService/ListDeliveries": {
    rows: "deliveries",
    request: ({ targets }) => ({ targetId: targets[0] }),
    isShort: true,
  },
  "user.v2.UserService/ListIDPLinks": { rows: "result", request: ({ users }) => ({ userId: users[0] }) },
  "org.v2.OrganizationService/ListOrganizationMetadata": {
    rows: "metadata",
    request: ({ organizations }) => ({ organizationId: organizations[0] }),
    filters: { keyFilter: at("key") },
  },
  "user.v2.UserService/ListUserMetadata": {
    rows: "metadata",
    request: ({ users }) => ({ userId: users[0] }),
    filters: { keyFilter: at("key") },
  },
};
