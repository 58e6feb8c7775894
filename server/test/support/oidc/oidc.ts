import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Ending, Engine } from "../databases/databases.ts";
import { type Template, templateOf } from "../databases/templates.ts";
import { fetch } from "../http/fetch.ts";
import {
  type ServerFacts,
  type ServerOptions,
  startServer,
  startToFill,
  type TemplateTime,
  type TestApi,
  type TestServer,
  templateTimeOf,
} from "../servers/server.ts";
import { trustForApi } from "./trust.ts";

/** A server with an application and a user, that runs in the process of the test. */
export type OidcServer = TestServer & OidcSetup;

/** A web application with a secret, and a user who can sign in to it. */
export interface OidcSetup {
  readonly organizationId: string;
  readonly projectId: string;
  readonly client: TestClient;
  readonly user: { readonly userId: string; readonly loginName: string; readonly password: string };
  /** Token of a service account that may answer authorization requests (IAM_LOGIN_CLIENT). */
  readonly loginToken: string;
  /** Creates another application, by default in the project; the body is the contract's `oidcConfiguration`. */
  createClient(configuration?: Readonly<Record<string, unknown>>, inProject?: string): Promise<TestClient>;
  /** Lets the owner of the instance trust an application of the project with our APIs; by default the first one. */
  trust(client?: TestClient): Promise<void>;
  /** Sends a form to an endpoint. */
  form(
    path: string,
    parameters: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<FormAnswer>;
  /** Visits an authorization URL and answers it through the login API; returns the URL that the client gets. */
  answer(url: URL, options?: Pick<SignInOptions, "session" | "user">): Promise<Answered>;
  /** Goes through the authorization endpoint and the login API until there is a code. */
  signIn(
    options?: SignInOptions,
  ): Promise<{ code: string; codeVerifier: string; state: string | null; sessionId: string; sessionToken: string }>;
  /** Signs in and redeems the code. */
  tokens(options?: SignInOptions): Promise<{ readonly [name: string]: string }>;
  introspect(token: string, client?: TestClient): Promise<Record<string, unknown>>;
}

export interface TestClient {
  readonly applicationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** `Authorization` header of the client. */
  readonly basic: { readonly authorization: string };
}

/** The outcome of an authorization request. */
interface Answered {
  readonly callback: URL;
  readonly sessionId: string;
  readonly sessionToken: string;
}

export interface FormAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly body: any;
}

interface SignInOptions {
  readonly client?: TestClient;
  readonly scope?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly session?: { readonly sessionId: string; readonly sessionToken: string };
  readonly user?: { readonly userId: string; readonly password: string };
}

const redirectUri = "https://app.example/callback";
const password = "correct horse battery staple";

/** What there is to know of an application and a user that were made before. */
type OidcFacts = Pick<OidcSetup, "organizationId" | "projectId" | "client" | "user" | "loginToken">;

/** Starts a server with an application and a user. */
export async function startOidcServer(t: Ending, options: ServerOptions = {}): Promise<OidcServer> {
  const time = templateTimeOf(options);
  if (time === undefined) {
    const server = await startServer(t, options);
    return { ...server, ...(await setUpOidc(server)) };
  }
  const template = await oidcTemplate(options.engine ?? "sqlite", time);
  const server = await startServer(t, { ...options, template: async () => template });
  return { ...server, ...useOidc(server, template.facts) };
}

function oidcTemplate(engine: Engine, time: TemplateTime): Promise<Template<ServerFacts & OidcFacts>> {
  return templateOf({
    name: `oidc_${time}`,
    engine,
    fill: async (t, location) => {
      const server = await startToFill(t, location, { time });
      return { ownerToken: server.ownerToken, ...(await makeOidc(server)) };
    },
  });
}

/** Makes an application and a user, on any server. */
export async function setUpOidc(server: TestApi): Promise<OidcSetup> {
  return useOidc(server, await makeOidc(server));
}

async function makeOidc(server: TestApi): Promise<OidcFacts> {
  const organizationId = (await ok(server.rest("POST", "/v2/organizations/_search", { body: {} }))).result[0].id;
  const created = await ok(
    server.connect("service.project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" }),
  );
  const projectId: string = created.projectId;
  const client = await makeClient(server, projectId);
  const user = await makeUser(server, organizationId);
  const loginToken = await makeLoginClient(server, organizationId);
  return { organizationId, projectId, client, user, loginToken };
}

/** An application and a user that were made before, at a server that has them. */
export function useOidc(server: TestApi, facts: OidcFacts): OidcSetup {
  const { organizationId, projectId, client, user, loginToken } = facts;
  const form: OidcSetup["form"] = (path, parameters, headers) => sendForm(server.origin, path, parameters, headers);
  const signIn: OidcSetup["signIn"] = (given) => authorize(server, loginToken, { client, user, ...given });
  return {
    organizationId,
    projectId,
    client,
    user,
    loginToken,
    form,
    signIn,
    trust: (trusted = client) => trustForApi(server, trusted, projectId),
    createClient: (configuration, inProject = projectId) => makeClient(server, inProject, configuration),
    answer: (url, given) => answerUrl(server, loginToken, url, { user, ...given }),
    tokens: async (given = {}) => {
      const used = given.client ?? client;
      const { code, codeVerifier } = await signIn(given);
      const answer = await form(
        "/oauth/v2/token",
        { grant_type: "authorization_code", code, redirect_uri: used.redirectUri, code_verifier: codeVerifier },
        used.basic,
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    introspect: async (token, by = client) => (await form("/oauth/v2/introspect", { token }, by.basic)).body,
  };
}

async function makeClient(
  server: TestApi,
  projectId: string,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<TestClient> {
  const { applicationId, oidcConfiguration } = await ok(
    server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: `app ${randomBytes(4).toString("hex")}`,
      oidcConfiguration: {
        redirectUris: [redirectUri],
        postLogoutRedirectUris: ["https://app.example/bye"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        applicationType: "OIDC_APP_TYPE_WEB",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
        ...configuration,
      },
    }),
  );
  const { clientId, clientSecret = "" } = oidcConfiguration;
  return { applicationId, clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) };
}

/** Basic credentials, form-encoded as RFC 6749 §2.3.1 asks. */
export const basicOf = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

async function makeUser(server: TestApi, organizationId: string) {
  const { id, userId = id } = await ok(
    server.rest("POST", "/v2/users/new", {
      body: {
        organizationId,
        username: "ada",
        human: {
          profile: { givenName: "Ada", familyName: "Lovelace" },
          email: { email: "ada@example.com", isVerified: true },
          password: { password, changeRequired: false },
        },
      },
    }),
  );
  return { userId, loginName: "ada@doorward.localhost", password };
}

interface Known extends SignInOptions {
  readonly client: TestClient;
  readonly user: { readonly userId: string; readonly password: string };
}

// Only a login may answer authorization requests; an owner may not.
async function makeLoginClient(server: TestApi, organizationId: string): Promise<string> {
  const machine = { organizationId, username: "login", machine: { name: "login" } };
  const { id: userId } = await ok(server.rest("POST", "/v2/users/new", { body: machine }));
  await ok(
    server.connect("service.internal_permission.v2.InternalPermissionService/CreateAdministrator", {
      userId,
      resource: { instance: true },
      roles: ["IAM_LOGIN_CLIENT"],
    }),
  );
  const { token } = await ok(
    server.rest("POST", `/v2/users/${userId}/pats`, { body: { expirationDate: "2100-01-01T00:00:00Z" } }),
  );
  return token;
}

async function authorize(server: TestApi, loginToken: string, known: Known) {
  const { client, scope = "openid", parameters } = known;
  const codeVerifier = randomBytes(32).toString("base64url");
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...parameters,
  });
  const url = new URL(`${server.origin}/oauth/v2/authorize?${query}`);
  const { callback, ...session } = await answerUrl(server, loginToken, url, known);
  return {
    ...session,
    code: callback.searchParams.get("code") ?? "",
    state: callback.searchParams.get("state"),
    codeVerifier,
  };
}

async function answerUrl(
  server: TestApi,
  loginToken: string,
  url: URL,
  { user, session }: Pick<Known, "user" | "session">,
): Promise<Answered> {
  const redirected = await fetch(url, { redirect: "manual" });
  const login = new URL(redirected.headers.get("location") ?? "", server.origin);
  const authRequest = login.searchParams.get("authRequest");
  assert.ok(authRequest, `no login: ${login.href}`);
  const { sessionId, sessionToken } =
    session ??
    (await ok(
      server.rest("POST", "/v2/sessions", {
        body: { checks: { user: { userId: user.userId }, password: { password: user.password } } },
      }),
    ));
  const { callbackUrl } = await ok(
    server.rest("POST", `/v2/oidc/auth_requests/${authRequest}`, {
      token: loginToken,
      // A login that answers here has asked for consent, whatever the client is.
      body: { session: { sessionId, sessionToken }, consentGiven: true },
    }),
  );
  return { callback: new URL(callbackUrl), sessionId, sessionToken };
}

/** Sends a form to a server. */
export async function sendForm(
  origin: string,
  path: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<FormAnswer> {
  const response = await fetch(origin + path, { method: "POST", headers, body: new URLSearchParams(parameters) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

async function ok<Answer extends { status: number; body: unknown }>(
  answering: Promise<Answer>,
): Promise<Answer["body"]> {
  const answer = await answering;
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
