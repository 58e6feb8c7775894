import assert from "node:assert/strict";
import { createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { type FormAnswer, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { signedWith } from "../../support/oidc/signed-jose.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import type { ServerOptions } from "../../support/servers/server.ts";

export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
export const typeOf = {
  access_token: "urn:ietf:params:oauth:token-type:access_token",
  refresh_token: "urn:ietf:params:oauth:token-type:refresh_token",
  id_token: "urn:ietf:params:oauth:token-type:id_token",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  user_id: "urn:service:params:oauth:token-type:user_id",
} as const;

/** Configuration of a client that may exchange tokens. */
export const mayExchange = {
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
};

export type TypeName = keyof typeof typeOf;
type Given = Readonly<Record<string, string>>;

/** A client that authenticates by key, may exchange, and can sign subject tokens. */
export interface KeyClient extends TestClient {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export interface Somebody {
  readonly userId: string;
  readonly loginName: string;
  readonly password: string;
}

export interface ExchangeServer extends OidcServer {
  readonly keyClient: KeyClient;
  /** A user with IAM_END_USER_IMPERSONATOR. */
  readonly agent: Somebody;
  /** Exchanges as the client that has a key; parameters that are undefined are left out. */
  exchange(parameters: Readonly<Record<string, string | undefined>>): Promise<FormAnswer>;
  /** A JWT of the client about a user. */
  signSubject(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  /** Tokens of a user at the client that has a key. */
  tokensOf(who: Somebody, scope: string, client?: TestClient): Promise<Given>;
  person(username: string, organizationId?: string): Promise<Somebody>;
  appoint(userId: string, roles: readonly string[], resource?: object): Promise<void>;
  personalAccessToken(username: string): Promise<{ userId: string; token: string; tokenId: string }>;
  allowImpersonation(isOn: boolean): Promise<void>;
}

/** Starts a server with a client that may exchange tokens, a user, and a service account that may act for users. */
export async function startExchangeServer(t: TestContext, options: ServerOptions = {}): Promise<ExchangeServer> {
  return extend(await startOidcServer(t, options));
}

export async function extend(server: OidcServer): Promise<ExchangeServer> {
  const keyClient = await makeKeyClient(server);
  const person: ExchangeServer["person"] = (username, organizationId) => makePerson(server, username, organizationId);
  const appoint: ExchangeServer["appoint"] = async (userId, roles, resource = { instance: true }) => {
    const service = "service.internal_permission.v2.InternalPermissionService";
    const { status, body } = await server.connect(`${service}/CreateAdministrator`, { userId, resource, roles });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const agent = await person("agent");
  await appoint(agent.userId, ["IAM_END_USER_IMPERSONATOR"]);
  const allowImpersonation = (enableImpersonation: boolean) =>
    changeSettings(server, "security", { enableImpersonation });
  await allowImpersonation(true);
  return {
    ...server,
    keyClient,
    agent,
    exchange: (parameters) =>
      server.form("/oauth/v2/token", {
        grant_type: exchangeGrant,
        ...proofOf(server, keyClient),
        ...defined(parameters),
      }),
    signSubject: (claims, header) =>
      sign(server, keyClient, { sub: server.user.userId, ...claims }, { typ: "JWT", ...header }),
    tokensOf: async (user, scope, client = keyClient) => {
      const { code, codeVerifier } = await server.signIn({ user, client, scope });
      const isKey = client === keyClient;
      const { status, body } = await server.form(
        "/oauth/v2/token",
        {
          grant_type: "authorization_code",
          code,
          redirect_uri: client.redirectUri,
          code_verifier: codeVerifier,
          ...(isKey && proofOf(server, keyClient)),
        },
        isKey ? {} : client.basic,
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    person,
    appoint,
    personalAccessToken: (username) => makePersonalAccessToken(server, username),
    allowImpersonation,
  };
}

const defined = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Returns a fresh proof of the client: each is valid once. */
export const proofOf = (server: OidcServer, client: KeyClient): Record<string, string> => ({
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: sign(server, client, { sub: client.clientId, jti: randomUUID() }),
});

function sign(server: OidcServer, client: KeyClient, claims: object, header: object = {}): string {
  const now = Math.floor(server.clock.now / 1000);
  const good = {
    header: { alg: "RS256", kid: client.keyId },
    claims: { iss: client.clientId, aud: server.origin, iat: now, exp: now + 300 },
    privateKey: client.privateKey,
    publicKey: client.privateKey,
  } as const;
  return signedWith(good, { ...header }, { ...claims });
}

async function makeKeyClient(server: OidcServer): Promise<KeyClient> {
  const client = await server.createClient({
    authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    trustedForApi: true,
    grantTypes: [
      "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
      "OIDC_GRANT_TYPE_REFRESH_TOKEN",
      "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
    ],
  });
  const { status, body } = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  assert.equal(status, 200, JSON.stringify(body));
  const { keyId, key } = JSON.parse(Buffer.from(body.keyDetails, "base64").toString("utf8"));
  return { ...client, keyId, privateKey: createPrivateKey(key) };
}

async function makePerson(
  server: OidcServer,
  username: string,
  organizationId = server.organizationId,
): Promise<Somebody> {
  const password = "correct horse battery staple";
  const { status, body } = await server.rest("POST", "/v2/users/new", {
    body: {
      organizationId,
      username,
      human: {
        profile: { givenName: username, familyName: "Person" },
        email: { email: `${username}@example.com`, isVerified: true },
        password: { password, changeRequired: false },
      },
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return { userId: body.id, loginName: `${username}@doorward.localhost`, password };
}

async function makePersonalAccessToken(server: OidcServer, username: string) {
  const machine = { organizationId: server.organizationId, username, machine: { name: username } };
  const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { body } = await server.rest("POST", `/v2/users/${userId}/pats`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  return { userId, token: body.token, tokenId: body.tokenId };
}

/** Returns the claims of a JWT, unverified. */
// biome-ignore lint/suspicious/noExplicitAny: claims are compared with what a test expects.
export const claimsOf = (jwt: string): any => JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
