import { generateKeyPairSync, randomBytes } from "node:crypto";
import { basic } from "../load/request.ts";
import type { CodeClient } from "../scenario/code-exchange.ts";
import { type Api, createApi } from "./api.ts";

/** What the scenarios need to know of a filled product. */
export interface ProductSeed {
  readonly origin: string;
  /** Personal access token of an IAM_OWNER. */
  readonly ownerToken: string;
  /** Personal access token of the login. */
  readonly loginToken: string;
  readonly projectId: string;
  readonly client: CodeClient;
  /** The same with id tokens by ES256. */
  readonly es256Client: CodeClient;
  /** The application that introspects, of the same project. */
  readonly api: { readonly basic: string };
  /** A service account with a secret and a key. */
  readonly machine: {
    readonly userId: string;
    readonly basic: string;
    readonly keyId: string;
    readonly privateKey: string;
  };
  /** A service account that gets JWTs. */
  readonly jwtMachine: { readonly basic: string };
  readonly user: SeededUser;
  /** Users who sign in with their passwords, one for each connection: sign-ins of the same user wait for its row. */
  readonly people: readonly SeededUser[];
  /** A session of the user, signed in. */
  readonly session: { readonly sessionId: string; readonly sessionToken: string };
}

export interface SeededUser {
  readonly userId: string;
  readonly loginName: string;
  readonly password: string;
}

const listedUsers = 60;
const usersWithPassword = 32;
const password = "correct horse battery staple";

/** Fills a fresh server over its own API. */
export async function seedProduct(origin: string, ownerToken: string): Promise<ProductSeed> {
  const api = createApi(origin, ownerToken);
  const organizationId = (await api("/v2/organizations/_search", {})).result[0].id;
  const { projectId } = await api("/service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: "Bench",
  });
  const user = await makePerson(api, organizationId, "ada", true);
  const people = [user];
  for (let count = 1; count < listedUsers; count++) {
    const hasPassword = count < usersWithPassword;
    const person = await makePerson(api, organizationId, `person${count}`, hasPassword);
    if (hasPassword) people.push(person);
  }
  const checks = { user: { userId: user.userId }, password: { password } };
  const { sessionId, sessionToken } = await api("/v2/sessions", { checks });
  return {
    origin,
    ownerToken,
    projectId,
    loginToken: await makeLogin(api, organizationId),
    client: await makeWebClient(api, projectId, "RS256"),
    es256Client: await makeWebClient(api, projectId, "ES256"),
    api: await makeApiClient(api, projectId),
    machine: await makeMachineWithKey(api, organizationId),
    jwtMachine: await makeMachine(api, organizationId, "jwt", "ACCESS_TOKEN_TYPE_JWT"),
    user,
    people,
    session: { sessionId, sessionToken },
  };
}

async function makePerson(api: Api, organizationId: string, name: string, hasPassword: boolean): Promise<SeededUser> {
  const { id } = await api("/v2/users/new", {
    organizationId,
    username: name,
    human: {
      profile: { givenName: "Ada", familyName: name },
      email: { email: `${name}@example.com`, isVerified: true },
      ...(hasPassword && { password: { password, changeRequired: false } }),
    },
  });
  return { userId: id, loginName: `${name}@doorward.localhost`, password };
}

async function makeMachine(api: Api, organizationId: string, username: string, accessTokenType: string) {
  const machine = { name: username, accessTokenType };
  const { id: userId } = await api("/v2/users/new", { organizationId, username, machine });
  const { clientSecret } = await api(`/v2/users/${userId}/secret`, {});
  return { userId, basic: basic(`${username}@doorward.localhost`, clientSecret) };
}

async function makeMachineWithKey(api: Api, organizationId: string): Promise<ProductSeed["machine"]> {
  const account = await makeMachine(api, organizationId, "machine", "ACCESS_TOKEN_TYPE_BEARER");
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const { keyId } = await api(`/v2/users/${account.userId}/keys`, {
    publicKey: Buffer.from(pem).toString("base64"),
    expirationDate: "2100-01-01T00:00:00Z",
  });
  return { ...account, keyId, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

async function makeLogin(api: Api, organizationId: string): Promise<string> {
  const { id: userId } = await api("/v2/users/new", { organizationId, username: "login", machine: { name: "login" } });
  await api("/service.internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId,
    resource: { instance: true },
    roles: ["IAM_LOGIN_CLIENT"],
  });
  return (await api(`/v2/users/${userId}/pats`, { expirationDate: "2100-01-01T00:00:00Z" })).token;
}

async function makeWebClient(api: Api, projectId: string, idTokenSignedResponseAlg: string): Promise<CodeClient> {
  const redirectUri = "https://app.example/callback";
  const { oidcConfiguration } = await api(createApplication, {
    projectId,
    name: `web ${randomBytes(4).toString("hex")}`,
    oidcConfiguration: {
      redirectUris: [redirectUri],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "DEVICE_CODE", "TOKEN_EXCHANGE"].map(
        (name) => `OIDC_GRANT_TYPE_${name}`,
      ),
      applicationType: "OIDC_APP_TYPE_WEB",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
      idTokenSignedResponseAlg,
    },
  });
  const { clientId, clientSecret } = oidcConfiguration;
  return { clientId, redirectUri, basic: basic(clientId, clientSecret) };
}

async function makeApiClient(api: Api, projectId: string): Promise<ProductSeed["api"]> {
  const { apiConfiguration } = await api(createApplication, {
    projectId,
    name: "api",
    apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
  });
  return { basic: basic(apiConfiguration.clientId, apiConfiguration.clientSecret) };
}

const createApplication = "/service.application.v2.ApplicationService/CreateApplication";
