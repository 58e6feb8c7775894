import type { ApiClient } from "../api-call.ts";
import { CommandError } from "../command-error.ts";
import { recordOf, textOf } from "./api-record.ts";
import { type ApplicationType, type ApplicationTypeName, applicationTypes } from "./application-types.ts";
import { openToClients, type RegisteredResource, registerResource, type WantedResource } from "./register-resource.ts";

export interface WantedApplication {
  readonly name: string;
  readonly type: ApplicationTypeName;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly projectId: string | undefined;
  readonly organizationId: string | undefined;
  /** Base address of its login, unless that is the hosted one. */
  readonly loginUri: string | undefined;
  /** Whether our own APIs accept the tokens of its users. */
  readonly isTrustedForApi: boolean;
  /** Further fields of the configuration of a client. */
  readonly clientFields: Readonly<Record<string, unknown>>;
  /** Whether it keeps the FAPI 2.0 profile, and gets a key. */
  readonly isFapi: boolean;
  /** The resource that comes with it; only for servers that take tokens. */
  readonly resource: WantedResource | undefined;
}

/** The result of a registration. */
export interface RegisteredApplication {
  readonly clientId: string;
  /** Shown only once. */
  readonly clientSecret: string | undefined;
  /** Personal access token of a login; also shown only once. */
  readonly loginToken?: string;
  /** Key file of an application that authenticates by a key; also shown only once. */
  readonly key?: string;
  readonly applicationId?: string;
  readonly projectId?: string;
  readonly userId?: string;
  readonly resource?: RegisteredResource;
  /** Warnings about the configuration, in sentences. */
  readonly notes: readonly string[];
}

/** Registers an application in a project, or creates a service account. */
export async function registerApplication(api: ApiClient, wanted: WantedApplication): Promise<RegisteredApplication> {
  const organizationId = wanted.organizationId ?? (await findDefaultOrganization(api));
  if (wanted.type === "machine") return createServiceAccount(api, wanted.name, organizationId);
  if (wanted.type === "login") return createLogin(api, wanted.name, organizationId);
  const projectId = wanted.projectId ?? (await createProject(api, wanted.name, organizationId));
  const resource = wanted.resource && (await addResource(api, wanted, { projectId, resource: wanted.resource }));
  const answer = await api("application.v2.ApplicationService/CreateApplication", {
    projectId,
    name: wanted.name,
    ...configurationOf(wanted),
  });
  const applicationId = textOf(answer, "applicationId");
  const key = wanted.isFapi ? await createKey(api, { projectId, applicationId }) : undefined;
  const made = recordOf(answer["oidcConfiguration"] ?? answer["apiConfiguration"]);
  return {
    clientId: textOf(made, "clientId"),
    clientSecret: textOf(made, "clientSecret") || undefined,
    applicationId,
    projectId,
    ...(key !== undefined && { key }),
    ...(resource && { resource }),
    notes: wanted.resource?.isOpen === true ? await openToClients(api) : notesOn(wanted, made),
  };
}

const notesOn = (wanted: WantedApplication, made: Readonly<Record<string, unknown>>): string[] =>
  isForDevelopment(wanted)
    ? ["development mode is on, so that it may return to http addresses; use https addresses in production"]
    : sentencesOf(made["complianceProblems"]);

// An address that is refused leaves no empty project behind.
async function addResource(
  api: ApiClient,
  wanted: WantedApplication,
  { projectId, resource }: { readonly projectId: string; readonly resource: WantedResource },
): Promise<RegisteredResource> {
  try {
    return await registerResource(api, { projectId, name: wanted.name }, resource);
  } catch (error) {
    if (wanted.projectId === undefined) await api("project.v2.ProjectService/DeleteProject", { projectId });
    throw error;
  }
}

async function createKey(api: ApiClient, of: { readonly projectId: string; readonly applicationId: string }) {
  const made = await api("application.v2.ApplicationService/CreateApplicationKey", of);
  return Buffer.from(textOf(made, "keyDetails"), "base64").toString("utf8");
}

/** Returns the default organization, or the only one that the token gives access to. */
export async function findDefaultOrganization(api: ApiClient): Promise<string> {
  const list = async (queries: readonly object[]): Promise<string | undefined> => {
    const { result } = await api("org.v2.OrganizationService/ListOrganizations", { query: { limit: 1 }, queries });
    return Array.isArray(result) && result.length > 0 ? textOf(recordOf(result[0]), "id") : undefined;
  };
  // An administrator of a single organization may not be allowed to see the default one.
  const found = (await list([{ defaultQuery: {} }])) ?? (await list([]));
  if (found !== undefined) return found;
  throw new CommandError("the token gives access to no organization", { fix: "name one with --organization" });
}

async function createProject(api: ApiClient, name: string, organizationId: string): Promise<string> {
  const made = await api("project.v2.ProjectService/CreateProject", { organizationId, name });
  return textOf(made, "projectId");
}

async function createServiceAccount(
  api: ApiClient,
  name: string,
  organizationId: string,
): Promise<RegisteredApplication> {
  const userId = await createMachine(api, name, organizationId);
  const { clientSecret } = await api("user.v2.UserService/AddSecret", { userId });
  return { clientId: name, clientSecret: String(clientSecret), userId, notes: [] };
}

async function createLogin(api: ApiClient, name: string, organizationId: string): Promise<RegisteredApplication> {
  const userId = await createMachine(api, name, organizationId);
  const position = { userId, resource: { instance: true }, roles: ["IAM_LOGIN_CLIENT"] };
  await api("internal_permission.v2.InternalPermissionService/CreateAdministrator", position);
  const { token } = await api("user.v2.UserService/AddPersonalAccessToken", { userId });
  return { clientId: name, clientSecret: undefined, loginToken: String(token), userId, notes: [] };
}

async function createMachine(api: ApiClient, name: string, organizationId: string): Promise<string> {
  const made = await api("user.v2.UserService/CreateUser", { organizationId, username: name, machine: { name } });
  return textOf(made, "id");
}

// Browser applications may use http redirect addresses only during development.
const isForDevelopment = ({ type, redirectUris }: WantedApplication): boolean =>
  type === "spa" && redirectUris.some((uri) => uri.startsWith("http:"));

function configurationOf(wanted: WantedApplication): object {
  const { type, redirectUris, postLogoutRedirectUris, loginUri: baseUri } = wanted;
  const { oidc }: ApplicationType = applicationTypes[type];
  if (oidc === undefined) return { apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" } };
  return {
    oidcConfiguration: {
      ...oidc,
      redirectUris,
      postLogoutRedirectUris,
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      developmentMode: isForDevelopment(wanted),
      ...wanted.clientFields,
      ...(wanted.isFapi && fapiFields),
      ...(wanted.isTrustedForApi && { trustedForApi: true }),
      ...(baseUri !== undefined && { loginVersion: { loginV2: { baseUri } } }),
    },
  };
}

const fapiFields = {
  authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
  securityProfile: "OIDC_CLIENT_PROFILE_FAPI2",
} as const;

function sentencesOf(problems: unknown): string[] {
  if (!Array.isArray(problems)) return [];
  return problems.map((problem) => textOf(recordOf(problem), "localizedMessage")).filter((text) => text !== "");
}
