import { type ApiRecord, recordOf, textOf, textsOf } from "./api-record.ts";

/** An application as commands show it. */
export interface ShownApplication {
  readonly applicationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly type: "web" | "spa" | "native" | "api" | "saml";
  readonly isActive: boolean;
  readonly clientId: string;
  /** Only of applications that sign users in. */
  readonly client?: ShownClient;
}

interface ShownClient {
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backChannelLogoutUri: string;
  readonly tokenFormat: "opaque" | "jwt";
  readonly roleAssertion: boolean;
  readonly profileInIdToken: boolean;
  readonly narrowAudience: boolean;
}

/** Reads an application of the API. */
export function toShown(application: ApiRecord): ShownApplication {
  const oidc = application["oidcConfiguration"];
  const configuration = recordOf(oidc ?? application["apiConfiguration"]);
  return {
    applicationId: textOf(application, "applicationId"),
    projectId: textOf(application, "projectId"),
    name: textOf(application, "name"),
    type: typeOf(application, configuration),
    isActive: textOf(application, "state") === "APPLICATION_STATE_ACTIVE",
    clientId: textOf(configuration, "clientId"),
    ...(oidc !== undefined && { client: toClient(configuration) }),
  };
}

// Connect's JSON leaves out the default, which is the type of an application on a server.
function typeOf(application: ApiRecord, configuration: ApiRecord): ShownApplication["type"] {
  if ("apiConfiguration" in application) return "api";
  if (!("oidcConfiguration" in application)) return "saml";
  const type = textOf(configuration, "applicationType");
  if (type === "OIDC_APP_TYPE_USER_AGENT") return "spa";
  return type === "OIDC_APP_TYPE_NATIVE" ? "native" : "web";
}

const toClient = (configuration: ApiRecord): ShownClient => ({
  redirectUris: textsOf(configuration, "redirectUris"),
  postLogoutRedirectUris: textsOf(configuration, "postLogoutRedirectUris"),
  backChannelLogoutUri: textOf(configuration, "backChannelLogoutUri"),
  tokenFormat: textOf(configuration, "accessTokenType") === "OIDC_TOKEN_TYPE_JWT" ? "jwt" : "opaque",
  roleAssertion: configuration["accessTokenRoleAssertion"] === true && configuration["idTokenRoleAssertion"] === true,
  profileInIdToken: configuration["idTokenUserinfoAssertion"] === true,
  narrowAudience: configuration["narrowAudience"] === true,
});

/** Describes an application in a few lines. */
export function describeApplication(application: ShownApplication): string {
  const { name, type, isActive, clientId, applicationId, projectId, client } = application;
  const lines = [
    `${name} (${type}${isActive ? "" : ", inactive"})`,
    `  client id: ${clientId}   application: ${applicationId}   project: ${projectId}`,
  ];
  if (client === undefined) return lines.join("\n");
  const { redirectUris, postLogoutRedirectUris, backChannelLogoutUri, tokenFormat, ...switches } = client;
  const on = Object.entries(switches).filter(([, isOn]) => isOn);
  return [
    ...lines,
    ...redirectUris.map((uri) => `  returns to: ${uri}`),
    ...postLogoutRedirectUris.map((uri) => `  returns to after sign-out: ${uri}`),
    ...(backChannelLogoutUri === "" ? [] : [`  told of sign-outs at: ${backChannelLogoutUri}`]),
    `  access tokens: ${tokenFormat}${on.map(([each]) => `, ${wordsOf[each as keyof typeof wordsOf]}`).join("")}`,
  ].join("\n");
}

const wordsOf = {
  roleAssertion: "with roles",
  profileInIdToken: "with the profile in id tokens",
  narrowAudience: "for this application only",
} as const;
