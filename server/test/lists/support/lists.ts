import type { Things } from "./things.ts";

// biome-ignore lint/suspicious/noExplicitAny: records of foreign shape.
export type Item = any;

/** Where to look at what a list is put in order by. */
export interface List {
  /** The field of the answer that has the rows. */
  readonly rows: string;
  /** What the request has to name. */
  readonly request?: (things: Things) => object;
  /** The value of each column, by the end of its name in the contract. */
  readonly columns: Readonly<Record<string, (item: Item) => string | number>>;
  /** Whether only a system user may ask. */
  readonly isOfSystem?: true;
}

const at =
  (path: string) =>
  (item: Item): string | number => {
    const value = path.split(".").reduce((from, name) => from?.[name], item) ?? "";
    return typeof value === "boolean" ? Number(value) : value;
  };
/** Where a name stands among others. */
const among =
  (path: string, ...names: readonly string[]) =>
  (item: Item): number =>
    names.indexOf(String(at(path)(item)));
const folded = (path: string) => (item: Item) => String(at(path)(item)).toLowerCase();
const seconds = (path: string) => (item: Item) => Number.parseFloat(String(at(path)(item)));
const dates = { CREATION_DATE: at("creationDate"), CHANGE_DATE: at("changeDate") };
const createdAndChanged = { CREATED_DATE: at("creationDate"), CHANGED_DATE: at("changeDate") };
const kindOf = ({ restWebhook, restCall }: Item): number => (restWebhook ? 2 : restCall ? 1 : 0);

const credential = {
  CREATED_DATE: at("creationDate"),
  ID: at("id"),
  USER_ID: at("userId"),
  ORGANIZATION_ID: at("organizationId"),
};

/** Every list of the second generation that can be put in order. */
export const lists: Readonly<Record<string, List>> = {
  "action.v2.ActionService/ListExecutions": {
    rows: "executions",
    // An id begins with what kind of condition it is.
    columns: { ...createdAndChanged, ID: ({ condition }) => Object.keys(condition as object).join() },
  },
  "action.v2.ActionService/ListPublicKeys": {
    rows: "publicKeys",
    request: ({ targets }) => ({ targetId: targets[0] }),
    columns: { ...dates, EXPIRATION_DATE: at("expirationDate") },
  },
  "action.v2.ActionService/ListTargets": {
    rows: "targets",
    columns: {
      ...{ ...createdAndChanged, ID: at("id"), NAME: at("name"), URL: at("endpoint"), TIMEOUT: seconds("timeout") },
      ...{
        TARGET_TYPE: kindOf,
        INTERRUPT_ON_ERROR: ({ restCall, restWebhook }) => Number((restCall ?? restWebhook)?.interruptOnError ?? false),
      },
    },
  },
  "application.v2.ApplicationService/ListApplicationKeys": {
    rows: "keys",
    columns: {
      ...{ ID: at("keyId"), PROJECT_ID: at("projectId"), APPLICATION_ID: at("applicationId"), TYPE: () => 0 },
      ...{ CREATION_DATE: at("creationDate"), ORGANIZATION_ID: at("organizationId"), EXPIRATION: at("expirationDate") },
    },
  },
  "application.v2.ApplicationService/ListApplications": {
    rows: "applications",
    columns: { ...dates, ID: at("applicationId"), NAME: at("name"), STATE: at("state") },
  },
  "authorization.v2.AuthorizationService/ListAuthorizations": {
    rows: "authorizations",
    columns: {
      ...{ ...createdAndChanged, ID: at("id"), USER_ID: at("user.id"), PROJECT_ID: at("project.id") },
      ...{ ORGANIZATION_ID: at("organization.id"), USER_ORGANIZATION_ID: at("user.organizationId") },
    },
  },
  "group.v2.GroupService/ListGroups": { rows: "groups", columns: { ...dates, ID: at("id"), NAME: at("name") } },
  "group.v2.GroupService/ListGroupUsers": {
    rows: "groupUsers",
    columns: { USER_ID: at("user.id"), GROUP_ID: at("groupId"), CREATION_DATE: at("creationDate") },
  },
  "instance.v2.InstanceService/ListCustomDomains": {
    rows: "domains",
    request: ({ instances }) => ({ instanceId: instances[0] }),
    columns: {
      ...{
        DOMAIN: at("domain"),
        PRIMARY: at("primary"),
        GENERATED: at("generated"),
        CREATION_DATE: at("creationDate"),
      },
    },
  },
  "instance.v2.InstanceService/ListTrustedDomains": {
    rows: "trustedDomain",
    columns: { DOMAIN: at("domain"), CREATION_DATE: at("creationDate") },
  },
  "instance.v2.InstanceService/ListInstances": {
    rows: "instances",
    columns: { ID: at("id"), NAME: at("name"), CREATION_DATE: at("creationDate") },
    isOfSystem: true,
  },
  "internal_permission.v2.InternalPermissionService/ListAdministrators": {
    rows: "administrators",
    columns: { ...dates, USER_ID: at("user.id") },
  },
  "org.v2.OrganizationService/ListOrganizationDomains": {
    rows: "domains",
    request: ({ organizations }) => ({ organizationId: organizations[0] }),
    // The record has no date; the first one comes with the organization.
    columns: {
      NAME: at("domain"),
      CREATION_DATE: among("domain", "beta.localhost", "beta.example", "gamma.example", "alpha.example"),
    },
  },
  "org.v2.OrganizationService/ListOrganizations": {
    rows: "result",
    columns: { NAME: folded("name"), CREATION_DATE: at("details.creationDate") },
  },
  "project.v2.ProjectService/ListProjects": {
    rows: "projects",
    columns: { ...dates, ID: at("projectId"), NAME: at("name") },
  },
  "project.v2.ProjectService/ListProjectGrants": {
    rows: "projectGrants",
    columns: { ...dates, PROJECT_ID: at("projectId") },
  },
  "project.v2.ProjectService/ListProjectRoles": {
    rows: "projectRoles",
    request: ({ projects }) => ({ projectId: projects[0] }),
    columns: { ...dates, KEY: at("key") },
  },
  "session.v2.SessionService/ListSessions": { rows: "sessions", columns: { CREATION_DATE: at("creationDate") } },
  "settings.v2.SettingsService/ListOrganizationSettings": {
    rows: "organizationSettings",
    columns: { ...dates, ORGANIZATION_ID: at("organizationId") },
  },
  "user.v2.UserService/ListKeys": {
    rows: "result",
    columns: { ...credential, KEY_EXPIRATION_DATE: at("expirationDate") },
  },
  "user.v2.UserService/ListPersonalAccessTokens": {
    rows: "result",
    columns: { ...credential, EXPIRATION_DATE: at("expirationDate") },
  },
  "user.v2.UserService/ListUsers": {
    rows: "result",
    columns: {
      ...{
        USER_NAME: at("username"),
        FIRST_NAME: at("human.profile.givenName"),
        LAST_NAME: at("human.profile.familyName"),
      },
      ...{
        NICK_NAME: at("human.profile.nickName"),
        EMAIL: at("human.email.email"),
        CREATION_DATE: at("details.creationDate"),
      },
      DISPLAY_NAME: ({ human, machine }) => human?.profile.displayName ?? machine.name,
      STATE: at("state"),
      TYPE: ({ human }) => (human === undefined ? 1 : 0),
    },
  },
};
