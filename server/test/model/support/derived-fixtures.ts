import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { hashSecret } from "../../../src/base/secret.ts";
import { createAccess } from "../../../src/call/index.ts";
import { sql } from "../../../src/database/index.ts";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { makeProof, makeProofKey, type ProofKey } from "../../support/oidc/dpop.ts";
import type { FormAnswer, TestClient } from "../../support/oidc/oidc.ts";
import { etagOf } from "../../support/oidc/trust.ts";
import { testCall } from "../../support/operations/call.ts";
import { goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import type { Cluster, ServerNode } from "../../support/servers/nodes.ts";
import { type DerivedModel, type Exchange, type ModelClient, nameOfClient, nameOfProject } from "./derived-model.ts";
import { good } from "./family-fixtures.ts";

const tokenPath = "/oauth/v2/token";
const prefix = "urn:ietf:params:oauth:token-type:";
const projectService = "service.project.v2.ProjectService";
const permissions = "service.internal_permission.v2.InternalPermissionService";

/** Clients of every kind; the last but one is of another project, the last of another organization. */
export const modelClients: readonly ModelClient[] = [
  { project: 0, isTrusted: true },
  { project: 0, isPublic: true, isTrusted: true },
  { project: 0, needsConsent: true },
  { project: 0, needsProof: true },
  { project: 1, isTrusted: true },
  { project: 2, isForeign: true },
].map((given) => ({
  isPublic: false,
  needsConsent: false,
  needsProof: false,
  isTrusted: false,
  isForeign: false,
  ...given,
}));

/** The client that the instance does not always trust. */
export const changingTrust = 1;

/** The real things that a model speaks of, with the same indices. Clients, users and keys stay from run to run. */
export interface DerivedFixtures {
  readonly cluster: Cluster;
  readonly projects: readonly string[];
  readonly clients: readonly TestClient[];
  readonly users: readonly { readonly userId: string; readonly password: string }[];
  readonly keys: readonly ProofKey[];
  sessions: { readonly sessionId: string; readonly sessionToken: string }[];
  accessTokens: string[];
  idTokens: string[];
  refreshTokens: string[];
  /** The nonce that proofs need at the moment. */
  nonce: { readonly value: string; readonly until: number };
}

/** Two users, and two more who may act for users. */
export async function makeDerivedFixtures(cluster: Cluster): Promise<DerivedFixtures> {
  const { first } = cluster;
  const { organizationId } = first;
  await changeSettings(first, "login", { passwordCheckLifetimeSeconds: 315_360_000 });
  await changeSettings(first, "oidc", { accessTokenLifetimeSeconds: 43_200, idTokenLifetimeSeconds: 43_200 });
  const projects: string[] = [];
  const elsewhere = await good(first.rest("POST", "/v2/organizations", { body: { name: "Elsewhere" } }));
  const owners = { Derived: organizationId, Foreign: organizationId, Elsewhere: elsewhere.organizationId };
  for (const [name, owner] of Object.entries(owners)) {
    const created = first.connect(`${projectService}/CreateProject`, { organizationId: owner, name });
    projects.push((await good(created)).projectId);
  }
  const grant = { projectId: projects[2], grantedOrganizationId: organizationId };
  await good(first.connect(`${projectService}/CreateProjectGrant`, grant));
  const clients: TestClient[] = [];
  for (const { project, isPublic, needsConsent, needsProof, isTrusted } of modelClients) {
    const configuration = {
      grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "TOKEN_EXCHANGE"].map((one) => `OIDC_GRANT_TYPE_${one}`),
      ...(isPublic && {
        applicationType: "OIDC_APP_TYPE_USER_AGENT",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      }),
      consentRequired: needsConsent,
      dpopBoundAccessTokens: needsProof,
      trustedForApi: isTrusted,
    };
    clients.push(await first.createClient(configuration, projects[project]));
  }
  const users: { userId: string; password: string }[] = [];
  for (const name of ["one", "two", "agent", "spy"]) {
    const profile = { givenName: name, familyName: "Derived" };
    const email = { email: `${name}@derived.example`, isVerified: true };
    const human = { profile, email, password: { password: goodPassword, changeRequired: false } };
    const body = { organizationId, username: `derived-${name}`, human };
    users.push({ userId: (await good(first.rest("POST", "/v2/users/new", { body }))).id, password: goodPassword });
  }
  const keys = [await makeProofKey(), await makeProofKey()];
  const tokens = { sessions: [], accessTokens: [], idTokens: [], refreshTokens: [], nonce: { value: "", until: 0 } };
  return { cluster, projects, clients, users, keys, ...tokens };
}

const nodeOf = ({ cluster: { nodes } }: DerivedFixtures, index: number): ServerNode =>
  nodes[index % nodes.length] ?? nodes[0];

/** A proof of a key at the token endpoint; none for no key. */
async function proofOf(
  fixtures: DerivedFixtures,
  node: ServerNode,
  key: number | undefined,
): Promise<Record<string, string>> {
  const proofKey = key === undefined ? undefined : fixtures.keys[key];
  if (proofKey === undefined) return {};
  const { first } = fixtures.cluster;
  if (first.clock.now >= fixtures.nonce.until) {
    const asked = await makeProof(first, proofKey, { path: tokenPath });
    const form = { grant_type: "refresh_token", refresh_token: "x" };
    const { headers } = await node.form(tokenPath, form, { dpop: asked });
    fixtures.nonce = { value: headers.get("dpop-nonce") ?? "", until: first.clock.now + 30_000 };
  }
  return { dpop: await makeProof(first, proofKey, { path: tokenPath, nonce: fixtures.nonce.value }) };
}

async function send(
  fixtures: DerivedFixtures,
  client: number,
  form: Readonly<Record<string, string>>,
  {
    key,
    node = 0,
    path = tokenPath,
  }: { readonly key?: number | undefined; readonly node?: number; readonly path?: string },
): Promise<FormAnswer> {
  const { basic, clientId, clientSecret } = fixtures.clients[client] ?? assert.fail();
  const isPublic = clientSecret === "";
  const at = nodeOf(fixtures, node);
  return at.form(
    path,
    { ...(isPublic && { client_id: clientId }), ...form },
    { ...(!isPublic && basic), ...(await proofOf(fixtures, at, key)) },
  );
}

export async function addSession(fixtures: DerivedFixtures, user: number): Promise<void> {
  const { userId = "", password = "" } = fixtures.users[user] ?? {};
  const body = { checks: { user: { userId }, password: { password } } };
  fixtures.sessions.push(await good(fixtures.cluster.first.rest("POST", "/v2/sessions", { body })));
}

export async function signInTo(
  fixtures: DerivedFixtures,
  {
    client,
    session,
    scope,
    key,
  }: { client: number; session: number; scope: readonly string[]; key: number | undefined },
): Promise<void> {
  const used = fixtures.clients[client] ?? assert.fail();
  const given = { client: used, scope: scope.join(" "), session: fixtures.sessions[session] ?? assert.fail() };
  const { code, codeVerifier } = await fixtures.cluster.first.signIn(given);
  const form = {
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: used.redirectUri,
  };
  const { status, body } = await send(fixtures, client, form, { key });
  assert.equal(status, 200, JSON.stringify(body));
  keep(fixtures, body);
}

function keep(fixtures: DerivedFixtures, body: Readonly<Record<string, string>>): void {
  const isIdToken = body["token_type"] === "N_A";
  if (!isIdToken) fixtures.accessTokens.push(body["access_token"] ?? assert.fail());
  if (body["refresh_token"] !== undefined) fixtures.refreshTokens.push(body["refresh_token"]);
  const idToken = isIdToken ? body["access_token"] : body["id_token"];
  if (idToken !== undefined) fixtures.idTokens.push(idToken);
}

function subjectOf(fixtures: DerivedFixtures, { subject }: Exchange): Record<string, string> {
  switch (subject.kind) {
    case "access":
      return {
        subject_token: fixtures.accessTokens[subject.token] ?? "",
        subject_token_type: `${prefix}access_token`,
      };
    case "id":
      return { subject_token: fixtures.idTokens[subject.idToken] ?? "", subject_token_type: `${prefix}id_token` };
    case "user":
      return {
        subject_token: fixtures.users[subject.user]?.userId ?? "",
        subject_token_type: "urn:service:params:oauth:token-type:user_id",
      };
    default:
      return subject satisfies never;
  }
}

/** Sends an exchange to a node. */
export async function sendExchange(fixtures: DerivedFixtures, asked: Exchange, node: number): Promise<FormAnswer> {
  const actor = asked.actor === undefined ? undefined : (fixtures.accessTokens[asked.actor] ?? "");
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    ...subjectOf(fixtures, asked),
    ...(actor !== undefined && { actor_token: actor, actor_token_type: `${prefix}access_token` }),
    // A blank, because an empty parameter counts as left out.
    scope: asked.scope.join(" ") || " ",
    ...(asked.audience.length > 0 && { audience: asked.audience.map((name) => realName(fixtures, name)).join(" ") }),
    requested_token_type: prefix + asked.requested,
  };
  const answer = await send(fixtures, asked.client, form, { key: asked.key, node });
  if (answer.status === 200) keep(fixtures, answer.body);
  return answer;
}

const realName = (fixtures: DerivedFixtures, name: string): string => {
  const names = new Map([
    ...fixtures.clients.map(({ clientId }, index) => [nameOfClient(index), clientId] as const),
    ...fixtures.projects.map((projectId, index) => [nameOfProject(index), projectId] as const),
  ]);
  return names.get(name) ?? name;
};

export async function sendRefresh(
  fixtures: DerivedFixtures,
  index: number,
  { client, key, node }: { readonly client: number; readonly key: number | undefined; readonly node: number },
): Promise<FormAnswer> {
  const form = { grant_type: "refresh_token", refresh_token: fixtures.refreshTokens[index] ?? "" };
  const answer = await send(fixtures, client, form, { key, node });
  if (answer.status === 200) keep(fixtures, answer.body);
  return answer;
}

export async function sendRevocation(
  fixtures: DerivedFixtures,
  token: string,
  client: number,
  node: number,
): Promise<void> {
  const { status, body } = await send(fixtures, client, { token }, { node, path: "/oauth/v2/revoke" });
  assert.equal(status, 200, JSON.stringify(body));
}

/** What the account page "take access away" does. */
export async function takeAway(fixtures: DerivedFixtures, user: number, client: number): Promise<void> {
  const { first } = fixtures.cluster;
  const { userId = "" } = fixtures.users[user] ?? {};
  const { clientId = "" } = fixtures.clients[client] ?? {};
  const caller = { userId, organizationId: first.organizationId, access: createAccess([]) };
  const call = testCall({ instanceId: await instanceOf(fixtures), now: first.clock.now, caller });
  await revokeOwnClient(first.app.domain, call, { clientId });
}

const instanceOf = async ({ cluster: { first } }: DerivedFixtures): Promise<string> =>
  (await first.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";

export async function setUserActive(fixtures: DerivedFixtures, user: number, isActive: boolean): Promise<void> {
  const verb = isActive ? "reactivate" : "deactivate";
  await good(fixtures.cluster.first.rest("POST", `/v2/users/${fixtures.users[user]?.userId}/${verb}`, { body: {} }));
}

export async function setRole(fixtures: DerivedFixtures, user: number, isGiven: boolean): Promise<void> {
  const method = isGiven ? "CreateAdministrator" : "DeleteAdministrator";
  const roles = isGiven ? { roles: ["IAM_END_USER_IMPERSONATOR"] } : {};
  const body = { userId: fixtures.users[user]?.userId, resource: { instance: true }, ...roles };
  await good(fixtures.cluster.first.connect(`${permissions}/${method}`, body));
}

export const setImpersonation = (
  { cluster: { first } }: DerivedFixtures,
  enableImpersonation: boolean,
): Promise<void> => changeSettings(first, "security", { enableImpersonation });

/** Grants the project of the foreign client to the users' organization, or takes it away. */
export async function setGranted(fixtures: DerivedFixtures, isGranted: boolean): Promise<void> {
  const { first } = fixtures.cluster;
  const grant = { projectId: fixtures.projects[2], grantedOrganizationId: first.organizationId };
  const method = isGranted ? "ActivateProjectGrant" : "DeactivateProjectGrant";
  await good(first.connect(`${projectService}/${method}`, grant));
}

/**
 * Sets or removes the trust of the instance in one of the clients. Other nodes know within a second; until then nothing
 * is asked.
 */
export async function setTrust(fixtures: DerivedFixtures, isOn: boolean): Promise<void> {
  const { cluster, clients, projects } = fixtures;
  const { applicationId, clientId } = clients[changingTrust] ?? assert.fail();
  const etag = await etagOf(cluster.first, applicationId);
  const update = { projectId: projects[0], applicationId, etag, oidcConfiguration: { trustedForApi: isOn } };
  await good(cluster.first.connect("service.application.v2.ApplicationService/UpdateApplication", update));
  const instanceId = await instanceOf(fixtures);
  for (const { app } of cluster.nodes) {
    for (const began = performance.now(); ; await sleep(5)) {
      if ((await app.domain.clients.find(instanceId, clientId))?.isTrustedForApi === isOn) break;
      assert.ok(performance.now() - began < 5_000, "a node does not know of the trust");
    }
  }
}

/** Whether UserInfo takes an access token, from the holder of its key. */
export async function isTaken(
  fixtures: DerivedFixtures,
  model: DerivedModel,
  index: number,
  node: number,
): Promise<boolean> {
  const token = fixtures.accessTokens[index] ?? "";
  const key = model.accessTokens[index]?.key;
  const proofKey = key === undefined ? undefined : fixtures.keys[key];
  const path = "/oidc/v1/userinfo";
  const at = nodeOf(fixtures, node);
  const { first } = fixtures.cluster;
  if (proofKey === undefined) return (await at.rest("GET", path, { token })).status === 200;
  await proofOf(fixtures, at, key);
  const dpop = await makeProof(first, proofKey, {
    method: "GET",
    path,
    accessToken: token,
    nonce: fixtures.nonce.value,
  });
  const answer = await fetch(at.origin + path, { headers: { authorization: `DPoP ${token}`, dpop } });
  assert.ok(answer.status === 200 || answer.headers.get("www-authenticate")?.includes("invalid_token"), "a good proof");
  return answer.status === 200;
}

/** What the server wrote down of an access token, in the words of the model. */
export async function readToken(fixtures: DerivedFixtures, index: number) {
  const token = fixtures.accessTokens[index] ?? "";
  const [, payload] = token.split(".");
  const id = payload === undefined ? hashSecret(token) : JSON.parse(Buffer.from(payload, "base64url").toString()).jti;
  const instanceId = await instanceOf(fixtures);
  const row = await fixtures.cluster.first.app.domain.database.read.maybe<{
    scope: string;
    audience: string;
    expiresAt: number;
    key: string | null;
  }>(sql`select scope, audience, expires_at as "expiresAt", key_thumbprint as "key" from access_tokens
    where instance_id = ${instanceId} and token_id = ${id}`);
  assert.ok(row !== undefined, "the token is known");
  const key = fixtures.keys.findIndex(({ thumbprint }) => thumbprint === row.key);
  return {
    scope: row.scope.split(" ").sort(),
    audience: row.audience.split(" ").sort(),
    expiresAt: row.expiresAt,
    key: key < 0 ? undefined : key,
  };
}

/** The same of the model. */
export function wishedToken(fixtures: DerivedFixtures, model: DerivedModel, index: number) {
  const { scope, audience, expiresAt, key } = model.accessTokens[index] ?? assert.fail();
  const names = [...audience].map((name) => realName(fixtures, name));
  return { scope: [...scope].sort(), audience: names.sort(), expiresAt, key };
}
