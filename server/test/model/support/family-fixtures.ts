import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { basicOf, type TestClient } from "../../support/oidc/oidc.ts";
import { goodPassword } from "../../support/people/people.ts";
import type { Cluster, ServerNode } from "../../support/servers/nodes.ts";
import { adoptSession } from "../../support/sign-in/adopt-session.ts";

/** The real things that a model speaks of, with the same indices, on all nodes of a cluster. */
export interface FamilyFixtures {
  readonly cluster: Cluster;
  readonly projectId: string;
  readonly users: { readonly userId: string; readonly password: string }[];
  readonly clients: TestClient[];
  /** Another client of the project that asks after tokens; nothing ever happens to it. */
  readonly observer: TestClient;
  /** Each in a browser of its own, with its cookie. */
  readonly sessions: { readonly sessionId: string; readonly sessionToken: string; readonly cookie: string }[];
  readonly codes: { readonly code: string; readonly codeVerifier: string }[];
  readonly accessTokens: string[];
  readonly refreshTokens: string[];
  /** Id token of each family, for logout. */
  readonly idTokens: string[];
}

export const nodeAt = ({ cluster: { nodes } }: FamilyFixtures, index: number): ServerNode =>
  nodes[index % nodes.length] ?? nodes[0];

let count = 0;

/** Two clients (one with opaque tokens, one with JWTs), two users with a session each, and an observer. */
export async function makeFamilyFixtures(cluster: Cluster): Promise<FamilyFixtures> {
  const { first } = cluster;
  const name = `run-${++count}`;
  const { projectId } = await good(
    first.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: first.organizationId,
      name,
    }),
  );
  const observer = await makeClient(cluster, projectId, {});
  const clients = [
    await makeClient(cluster, projectId, {}),
    await makeClient(cluster, projectId, { accessTokenType: "OIDC_TOKEN_TYPE_JWT" }),
  ];
  const users = [await makeUser(cluster, `${name}-a`), await makeUser(cluster, `${name}-b`)];
  const fixtures = { cluster, projectId, users, clients, observer, sessions: [], codes: [] };
  const made: FamilyFixtures = { ...fixtures, accessTokens: [], refreshTokens: [], idTokens: [] };
  for (const user of users.keys()) await addSession(made, user);
  return made;
}

async function makeClient({ first }: Cluster, projectId: string, configuration: object): Promise<TestClient> {
  const redirectUri = first.client.redirectUri;
  const { applicationId, oidcConfiguration } = await good(
    first.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: `client ${++count}`,
      oidcConfiguration: {
        redirectUris: [redirectUri],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        applicationType: "OIDC_APP_TYPE_WEB",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
        ...configuration,
      },
    }),
  );
  const { clientId, clientSecret } = oidcConfiguration;
  return { applicationId, clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) };
}

async function makeUser({ first }: Cluster, username: string): Promise<FamilyFixtures["users"][number]> {
  const profile = { givenName: username, familyName: "Model" };
  const email = { email: `${username}@mail.example`, isVerified: true };
  const human = { profile, email, password: { password: goodPassword, changeRequired: false } };
  const body = { organizationId: first.organizationId, username, human };
  const { id } = await good(first.rest("POST", "/v2/users/new", { body }));
  return { userId: id, password: goodPassword };
}

export async function addSession({ cluster: { first }, users, sessions }: FamilyFixtures, user: number): Promise<void> {
  const { userId = "", password = "" } = users[user] ?? {};
  const body = { checks: { user: { userId }, password: { password } } };
  const { sessionId, sessionToken } = await good(first.rest("POST", "/v2/sessions", { body }));
  sessions.push({ sessionId, sessionToken, ...(await adoptSession(first, sessionId)) });
}

/** What introspection says of an access token, on a node. */
export async function introspect(fixtures: FamilyFixtures, node: ServerNode, index: number): Promise<boolean> {
  const token = fixtures.accessTokens[index] ?? "";
  const { status, body } = await node.form("/oauth/v2/introspect", { token }, fixtures.observer.basic);
  assert.equal(status, 200, JSON.stringify(body));
  return body.active;
}

/**
 * Whether the others who look at access tokens take it, on a node: the userinfo endpoint and our own interface, in
 * turn.
 */
export async function accept(fixtures: FamilyFixtures, node: ServerNode, index: number): Promise<boolean> {
  const token = fixtures.accessTokens[index] ?? "";
  const { status, body } = await (index % 2 === 0
    ? node.rest("GET", "/oidc/v1/userinfo", { token })
    : node.connect("service.user.v2.UserService/ListUsers", {}, { token }));
  assert.ok(status === 200 || status === 401, `${status} ${JSON.stringify(body)}`);
  return status === 200;
}

/** Applications are cached, and a change holds on the other nodes within a second; until then nothing is asked. */
export async function clientIsKnown(fixtures: FamilyFixtures, client: number, isGood: boolean): Promise<void> {
  const began = performance.now();
  for (const node of fixtures.cluster.nodes) {
    for (;;) {
      const { body } = await node.form("/oauth/v2/introspect", { token: "x" }, fixtures.clients[client]?.basic);
      if ((body.error === undefined) === isGood) break;
      assert.ok(performance.now() - began < 5000, "a node does not know the state of an application");
      await sleep(5);
    }
  }
}

export async function good(
  asking: Promise<{ readonly status: number; readonly body: unknown }>,
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
): Promise<any> {
  const { status, body } = await asking;
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  return body;
}
