import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createAccess } from "../../../src/call/index.ts";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import type { OidcServer, TestClient } from "../../support/oidc/oidc.ts";
import { addApi, addResource, changeResource } from "../../support/oidc/resources.ts";
import { etagOf } from "../../support/oidc/trust.ts";
import { testCall } from "../../support/operations/call.ts";
import { addOrganization, addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import {
  type Asked,
  type AuthorityModel,
  modelClients,
  type OrganizationName,
  organizationOf,
  type Person as Pair,
  type ProjectName,
  type ResourceName,
  type Switches,
  scopesAt,
  userHomes,
} from "./authority-model.ts";
import { good } from "./family-fixtures.ts";

const iam = "urn:service:iam";
const projectService = "service.project.v2.ProjectService";
const tokenPath = "/oauth/v2/token";
const grants = ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "TOKEN_EXCHANGE", "IMPLICIT", "DEVICE_CODE"];
const uris = { files: "https://files.home.example", money: "https://money.bank.example" } as const;

/** The real things that a model speaks of. They stay from run to run. */
export interface AuthorityFixtures {
  readonly server: OidcServer;
  readonly organizations: Readonly<Record<OrganizationName, string>>;
  readonly projects: Readonly<Record<ProjectName, string>>;
  readonly clients: readonly TestClient[];
  readonly users: readonly (Person & { readonly session: Session })[];
  /** APIs that introspect, of two of the projects. */
  readonly apis: Readonly<Record<"sibling" | "bank", TestClient>>;
  readonly systemProjectId: string;
  readonly instanceId: string;
  moneyId: string;
}

interface Session {
  readonly sessionId: string;
  readonly sessionToken: string;
}

export async function makeAuthorityFixtures(server: OidcServer): Promise<AuthorityFixtures> {
  await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 315_360_000 });
  const organizations = {
    home: await addOrganization(server, "Home"),
    elsewhere: await addOrganization(server, "Elsewhere"),
    default: server.organizationId,
  };
  const projects: Partial<Record<ProjectName, string>> = {};
  for (const [name, owner] of Object.entries(organizationOf)) {
    const body = { organizationId: organizations[owner], name };
    const { projectId } = await good(server.connect(`${projectService}/CreateProject`, body));
    projects[name as ProjectName] = projectId;
  }
  const made = projects as Record<ProjectName, string>;
  for (const projectId of [made.bank, made.travel]) {
    const grant = { projectId, grantedOrganizationId: organizations.home };
    await good(server.connect(`${projectService}/CreateProjectGrant`, grant));
  }
  const clients: TestClient[] = [];
  for (const { project, needsConsent, isNarrow, isJwt } of modelClients) {
    const configuration = {
      grantTypes: grants.map((one) => `OIDC_GRANT_TYPE_${one}`),
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
      consentRequired: needsConsent,
      narrowAudience: isNarrow,
      ...(isJwt && { accessTokenType: "OIDC_TOKEN_TYPE_JWT" }),
    };
    clients.push(await server.createClient(configuration, made[project]));
  }
  const users = [];
  for (const [index, home] of userHomes.entries()) {
    const person = await addPerson(server, { username: `user-${index}`, organizationId: organizations[home] });
    const checks = { user: { userId: person.userId }, password: { password: person.password } };
    const { sessionId, sessionToken } = await good(server.rest("POST", "/v2/sessions", { body: { checks } }));
    users.push({ ...person, session: { sessionId, sessionToken } });
  }
  const apis = { sibling: await addApi(server, made.sibling), bank: await addApi(server, made.bank) };
  await addResource(server, made.sibling, uris.files, { scopes: [{ name: "a" }, { name: "b" }] });
  const { instanceId = "", systemProjectId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
  const fixtures = { server, organizations, projects: made, clients, users, apis, systemProjectId, instanceId };
  const moneyId = await addMoney({ ...fixtures, moneyId: "" }, ["b", "c"]);
  return { ...fixtures, moneyId };
}

const addMoney = ({ server, projects }: AuthorityFixtures, names: readonly string[]): Promise<string> =>
  addResource(server, projects.bank, uris.money, {
    scopes: names.map((name) => ({ name })),
    tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT",
    accessTokenLifetime: "600s",
  });

/** Moves a switch, in the model and in the server. */
export async function turn(fixtures: AuthorityFixtures, model: AuthorityModel, what: keyof Switches, isOn: boolean) {
  const { server, projects, organizations } = fixtures;
  model[what] = isOn;
  const grant = (projectId: string) =>
    server.connect(`${projectService}/${isOn ? "Activate" : "Deactivate"}ProjectGrant`, {
      projectId,
      grantedOrganizationId: organizations.home,
    });
  const money = (change: object) => changeResource(server, "UpdateResource", { id: fixtures.moneyId, ...change });
  switch (what) {
    case "isTrusted": {
      const trusted = modelClients.findIndex(({ mayBeTrusted }) => mayBeTrusted);
      const { applicationId } = fixtures.clients[trusted] ?? assert.fail();
      const etag = await etagOf(server, applicationId);
      const update = { projectId: projects.own, applicationId, etag, oidcConfiguration: { trustedForApi: isOn } };
      return good(server.connect("service.application.v2.ApplicationService/UpdateApplication", update));
    }
    case "isLent":
      return good(grant(projects.bank));
    case "isRecognized":
      return good(grant(projects.travel));
    case "isAsking":
      return changeSettings(server, "security", { skipConsentAcrossOrganizations: !isOn });
    case "isBankActive": {
      const method = isOn ? "ActivateProject" : "DeactivateProject";
      return good(server.connect(`${projectService}/${method}`, { projectId: projects.bank }));
    }
    case "isMoneyActive":
      return money({ state: isOn ? "RESOURCE_STATE_ACTIVE" : "RESOURCE_STATE_INACTIVE" });
    case "hasMoneyScope":
      return money({ scopes: { scopes: scopesAt(model, "money").map((name) => ({ name })) } });
    default:
      return what satisfies never;
  }
}

/** Deletes the resource and registers another one at its address, a second later. */
export async function replaceMoney(fixtures: AuthorityFixtures, model: AuthorityModel): Promise<void> {
  await changeResource(fixtures.server, "DeleteResource", { id: fixtures.moneyId });
  fixtures.server.clock.now += 1_000;
  model.now = fixtures.server.clock.now;
  fixtures.moneyId = await addMoney(fixtures, scopesAt(model, "money"));
  model.isMoneyActive = true;
  model.moneyVersion++;
}

/** What "take access away" does in the account. */
export async function takeAwayFrom(fixtures: AuthorityFixtures, { client, user }: Pair): Promise<void> {
  const { server, instanceId } = fixtures;
  const { userId, organizationId } = fixtures.users[user] ?? assert.fail();
  const caller = { userId, organizationId, access: createAccess([]) };
  const call = testCall({ instanceId, now: server.clock.now, caller });
  await revokeOwnClient(server.app.domain, call, { clientId: fixtures.clients[client]?.clientId ?? "" });
}

export type Channel = "code" | "pushed" | "front" | "device";

/** What came of a step at the server; undefined: refused. */
export type Tokens = Readonly<Record<string, string>> | undefined;

/** A request on its way. */
export interface Flow {
  /** Answers with the session of the user; false when it is refused. A device always asks. */
  answer(isConsentGiven: boolean): Promise<boolean>;
  redeem(named: readonly ResourceName[]): Promise<Tokens>;
}

const wordOf = (word: string, { projects, systemProjectId }: AuthorityFixtures): string => {
  if (word.includes("me:") || word.includes("admin:")) return `${iam}:api:${word}`;
  if (!word.startsWith("aud:")) return word;
  const name = word.slice("aud:".length);
  return `${iam}:org:project:id:${name === "apis" ? systemProjectId : projects[name as ProjectName]}:aud`;
};
const uriOf = (name: ResourceName, { server }: AuthorityFixtures): string =>
  name === "ours" ? server.origin : uris[name];

/** Begins a request; undefined when it is refused before the user is involved. */
export async function begin(
  fixtures: AuthorityFixtures,
  channel: Channel,
  who: Pair,
  asked: Asked,
): Promise<Flow | undefined> {
  const client = fixtures.clients[who.client] ?? assert.fail();
  const codeVerifier = randomBytes(32).toString("base64url");
  const parameters = new URLSearchParams({
    client_id: client.clientId,
    scope: asked.scope.map((word) => wordOf(word, fixtures)).join(" "),
  });
  for (const name of asked.resources) parameters.append("resource", uriOf(name, fixtures));
  if (channel === "device") return beginDevice(fixtures, who, parameters);
  parameters.set("redirect_uri", client.redirectUri);
  parameters.set("response_type", channel === "front" ? "id_token token" : "code");
  if (channel === "front") parameters.set("nonce", "n");
  else {
    parameters.set("code_challenge", createHash("sha256").update(codeVerifier).digest("base64url"));
    parameters.set("code_challenge_method", "S256");
  }
  let sent = parameters;
  if (channel === "pushed") {
    const { status, body } = await post(fixtures, "/oauth/v2/par", client, parameters);
    if (status !== 201) return undefined;
    sent = new URLSearchParams({ client_id: client.clientId, request_uri: body["request_uri"] ?? "" });
  }
  const shown = await fetch(`${fixtures.server.origin}/oauth/v2/authorize?${sent}`, { redirect: "manual" });
  const id = new URL(shown.headers.get("location") ?? "", fixtures.server.origin).searchParams.get("authRequest");
  return id === null ? undefined : answering(fixtures, who, { id, codeVerifier });
}

function answering(
  fixtures: AuthorityFixtures,
  who: Pair,
  { id, codeVerifier }: { id: string; codeVerifier: string },
): Flow {
  const { server } = fixtures;
  const client = fixtures.clients[who.client] ?? assert.fail();
  let callback = new URLSearchParams();
  return {
    answer: async (consentGiven) => {
      const body = { session: fixtures.users[who.user]?.session, consentGiven };
      const { loginToken: token } = server;
      const answered = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, { token, body });
      if (answered.status >= 300) return false;
      const { search, hash } = new URL(answered.body.callbackUrl);
      callback = new URLSearchParams(search || hash.slice(1));
      return !callback.has("error");
    },
    redeem: async (named) => {
      if (!callback.has("code")) return Object.fromEntries(callback);
      const form = new URLSearchParams({
        grant_type: "authorization_code",
        code: callback.get("code") ?? "",
        redirect_uri: client.redirectUri,
        code_verifier: codeVerifier,
      });
      return tokensOf(fixtures, client, form, named);
    },
  };
}

async function beginDevice(
  fixtures: AuthorityFixtures,
  who: Pair,
  parameters: URLSearchParams,
): Promise<Flow | undefined> {
  const { server } = fixtures;
  const client = fixtures.clients[who.client] ?? assert.fail();
  const { status, body } = await post(fixtures, "/oauth/v2/device_authorization", client, parameters);
  if (status !== 200) return undefined;
  return {
    answer: async () => {
      const { loginToken: token } = server;
      const path = "/v2/oidc/device_authorization";
      const { deviceAuthorizationRequest } = await good(server.rest("GET", `${path}/${body["user_code"]}`, { token }));
      const session = fixtures.users[who.user]?.session;
      const decided = await server.rest("POST", `${path}/${deviceAuthorizationRequest.id}`, {
        token,
        body: { session },
      });
      return decided.status < 300;
    },
    redeem: (named) => {
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      const form = new URLSearchParams({ grant_type, device_code: body["device_code"] ?? "" });
      return tokensOf(fixtures, client, form, named);
    },
  };
}

async function post(fixtures: AuthorityFixtures, path: string, { basic }: TestClient, form: URLSearchParams) {
  const answer = await fetch(fixtures.server.origin + path, { method: "POST", headers: basic, body: form });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function tokensOf(
  fixtures: AuthorityFixtures,
  client: TestClient,
  form: URLSearchParams,
  named: readonly ResourceName[],
): Promise<Tokens> {
  for (const name of named) form.append("resource", uriOf(name, fixtures));
  const { status, body } = await post(fixtures, tokenPath, client, form);
  assert.ok(status === 200 || status === 400, JSON.stringify(body));
  return status === 200 ? body : undefined;
}

export function sendRefresh(
  fixtures: AuthorityFixtures,
  client: number,
  given: {
    readonly token: string;
    readonly scope: readonly string[] | undefined;
    readonly named: readonly ResourceName[];
  },
): Promise<Tokens> {
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: given.token });
  if (given.scope !== undefined) form.set("scope", given.scope.map((word) => wordOf(word, fixtures)).join(" ") || " ");
  return tokensOf(fixtures, fixtures.clients[client] ?? assert.fail(), form, given.named);
}

export function sendExchange(
  fixtures: AuthorityFixtures,
  client: number,
  given: {
    readonly token: string;
    readonly scope: readonly string[];
    readonly audience: readonly string[];
    readonly resource: ResourceName | undefined;
    readonly isJwtAsked: boolean;
  },
): Promise<Tokens> {
  const type = "urn:ietf:params:oauth:token-type:";
  const form = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: given.token,
    subject_token_type: `${type}access_token`,
    requested_token_type: `${type}${given.isJwtAsked ? "jwt" : "access_token"}`,
    scope: given.scope.map((word) => wordOf(word, fixtures)).join(" ") || " ",
  });
  for (const name of given.audience) form.append("audience", nameOf(fixtures, name));
  const named = given.resource === undefined ? [] : [given.resource];
  return tokensOf(fixtures, fixtures.clients[client] ?? assert.fail(), form, named);
}

/** The real name of one in an audience. */
function nameOf(fixtures: AuthorityFixtures, name: string): string {
  const { projects, systemProjectId, clients, server } = fixtures;
  if (name === "apis") return systemProjectId;
  if (name === "ours") return server.origin;
  if (name === "files" || name === "money") return uris[name];
  const [, index] = name.split("client:");
  return index === undefined ? projects[name as ProjectName] : (clients[Number(index)]?.clientId ?? "");
}

/** What an observer is told of a token; undefined: nothing. */
export async function introspect(fixtures: AuthorityFixtures, by: TestClient, token: string) {
  const { body } = await post(fixtures, "/oauth/v2/introspect", by, new URLSearchParams({ token }));
  const { active, aud, scope = "" } = body as { active?: boolean; aud?: string[]; scope?: string };
  if (active !== true) return undefined;
  // A token that has lost its only scope has none in the answer.
  return { audience: [...(aud ?? [])].sort(), scope: scope.split(" ").filter(Boolean).sort() };
}

/** The words of the model, as the server writes them. */
export const toReal = (
  fixtures: AuthorityFixtures,
  of: { readonly scope: Iterable<string>; readonly audience: Iterable<string> },
) => ({
  audience: [...of.audience].map((name) => nameOf(fixtures, name)).sort(),
  scope: [...of.scope].map((word) => wordOf(word, fixtures)).sort(),
});

export const isTakenByApis = async (
  { server, users }: AuthorityFixtures,
  user: number,
  token: string,
): Promise<boolean> => (await server.rest("GET", `/v2/users/${users[user]?.userId}`, { token })).status === 200;
