import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { extend, type TypeName, typeOf } from "../../oauth/token-exchange/support.ts";
import { fetch } from "../../support/http/fetch.ts";
import { putProvider } from "../../support/identity-provider/identity-providers.ts";
import type { TestProvider } from "../../support/identity-provider/test-provider.ts";
import type { OidcServer, TestClient } from "../../support/oidc/oidc.ts";
import { type GoodToken, goodJwt } from "../../support/oidc/signed-jose.ts";

/** How a verifier answered; `accepted` is what only a valid token may have. */
interface Verdict {
  readonly accepted: boolean;
  readonly status: number;
  /** For messages. */
  readonly body: unknown;
}

/** An endpoint that takes signed tokens from outside. */
export interface Verifier {
  readonly name: string;
  /** Signs a token that the endpoint takes, a new one each time. */
  good(): GoodToken;
  present(token: string): Promise<Verdict>;
  /** A header field carries visible characters only. */
  readonly sentIn: "form" | "header";
  /** One key is configured, without a key id. */
  readonly takesAnyKeyId?: boolean;
  /** The claims that it requires, for endpoints that take assertions. */
  readonly assertion?: { readonly audience: string; readonly maxAgeSeconds: number };
}

const oneHour = 3600;
const token = "/oauth/v2/token";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Every endpoint that takes a JWT; `systemUser`: key of the system user `ops`; `provider`: an identity provider. */
export async function makeVerifiers(
  server: OidcServer,
  systemUser: KeyObject,
  provider?: TestProvider,
): Promise<Verifier[]> {
  const keys = await ownKeys(server);
  return [
    await clientAssertion(server),
    await serviceAccountAssertion(server),
    systemUserToken(server, systemUser),
    ...(await accessTokens(server, keys)),
    ...(await subjectTokens(server, keys)),
    ...(await idTokenHints(server, keys)),
    ...(provider === undefined ? [] : [await providerToken(server, provider)]),
  ];
}

const seconds = (server: OidcServer): number => Math.floor(server.clock.now / 1000);

const assertionClaims = (server: OidcServer, subject: string) => ({
  iss: subject,
  sub: subject,
  aud: server.origin,
  jti: randomUUID(),
  iat: seconds(server),
  exp: seconds(server) + 300,
});

function keyOf(file: string): { readonly kid: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const { key, keyId } = JSON.parse(Buffer.from(file, "base64").toString("utf8"));
  const publicKey = createPublicKey(key);
  return { kid: keyId, privateKey: createPrivateKey(key), publicKey };
}

async function clientAssertion(server: OidcServer): Promise<Verifier> {
  const client = await server.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" });
  const { body } = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  const { kid, ...pair } = keyOf(body.keyDetails);
  return {
    name: "client assertion",
    sentIn: "form",
    good: () => ({ header: { alg: "RS256", kid }, claims: assertionClaims(server, client.clientId), ...pair }),
    present: async (assertion) => {
      const parameters = { token: "x", client_assertion: assertion, client_assertion_type: assertionType };
      const { status, body: answer } = await server.form("/oauth/v2/introspect", parameters);
      return { accepted: status === 200, status, body: answer };
    },
    assertion: { audience: server.origin, maxAgeSeconds: oneHour },
  };
}

async function serviceAccountAssertion(server: OidcServer): Promise<Verifier> {
  const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
  const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const { body } = await server.rest("POST", `/v2/users/${id}/keys`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  const { kid, ...pair } = keyOf(body.keyContent);
  return {
    name: "assertion of a service account",
    sentIn: "form",
    good: () => ({ header: { alg: "RS256", kid }, claims: assertionClaims(server, id), ...pair }),
    present: async (assertion) => {
      const parameters = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", scope: "openid", assertion };
      const { status, body: answer } = await server.form(token, parameters);
      return { accepted: status === 200, status, body: answer };
    },
    assertion: { audience: server.origin, maxAgeSeconds: oneHour },
  };
}

function systemUserToken(server: OidcServer, privateKey: KeyObject): Verifier {
  const publicKey = createPublicKey(privateKey);
  return {
    name: "token of a system user",
    sentIn: "header",
    takesAnyKeyId: true,
    good: () => ({
      header: { alg: "ES256", kid: "ops-key" },
      claims: assertionClaims(server, "ops"),
      privateKey,
      publicKey,
    }),
    present: (bearer) => asBearer(server, "/system/v1/instances/_search", bearer),
    assertion: { audience: server.origin, maxAgeSeconds: oneHour },
  };
}

/** The rules of id tokens: a provider that hands over a token itself is held to the same ones. */
async function providerToken(server: OidcServer, provider: TestProvider): Promise<Verifier> {
  const { issuer, key } = provider;
  const idpId = await putProvider(server, {
    configuration: {
      kind: "jwt",
      issuer,
      jwtEndpoint: `${issuer}/jwt`,
      keysEndpoint: `${issuer}/keys`,
      headerName: "x-person",
      audience: "doorward",
      styling: "none",
    },
  });
  const urls = { successUrl: `${server.origin}/good`, failureUrl: `${server.origin}/bad` };
  return {
    name: "token of an identity provider",
    sentIn: "header",
    good: () => {
      const claims = { iss: issuer, sub: "p-1", aud: "doorward", jti: randomUUID() };
      return { ...key, claims: { ...claims, iat: seconds(server), exp: seconds(server) + 300 } };
    },
    present: async (text) => {
      const { body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls } });
      const state = new URL(body.authUrl).searchParams.get("authRequestID") ?? "";
      const answer = await fetch(`${server.origin}/idps/jwt?authRequestID=${state}`, {
        redirect: "manual",
        headers: { "x-person": text },
      });
      const location = new URL(answer.headers.get("location") ?? urls.failureUrl);
      const { id, token: idpIntentToken } = Object.fromEntries(location.searchParams);
      if (idpIntentToken === undefined) return { accepted: false, status: answer.status, body: location.search };
      const read = await server.rest("POST", `/v2/idp_intents/${id}`, { body: { idpIntentToken } });
      // Another user may sign in there as well, and must not be taken for this one.
      return { accepted: read.body.idpInformation?.userId === "p-1", status: read.status, body: read.body };
    },
    assertion: { audience: "doorward", maxAgeSeconds: 600 },
  };
}

type OwnKeys = (algorithm: "RS256" | "ES256") => Omit<GoodToken, "claims">;

/** The server's own keys: an attacker without them can do less. */
async function ownKeys({ app: { domain } }: OidcServer): Promise<OwnKeys> {
  const instance = await domain.findInstanceByHost("localhost");
  const { signingKey } = await domain.keyRing(instance?.instanceId ?? "");
  return (alg) => {
    const { input, keyId: kid } = signingKey(alg);
    const privateKey = input.key as KeyObject;
    return { header: { alg, kid }, privateKey, publicKey: createPublicKey(privateKey) };
  };
}

/** The four endpoints that verify access tokens. */
async function accessTokens(server: OidcServer, keys: OwnKeys): Promise<Verifier[]> {
  const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const scope = "openid offline_access urn:service:iam:org:project:id:service:aud";
  const given = await server.tokens({ client, scope });
  const claims = claimsOf(given["access_token"]);
  const own = keys("ES256");
  const good = (): GoodToken => ({ ...own, header: { ...own.header, typ: "at+jwt" }, claims });
  return [
    { name: "access token at introspection", sentIn: "form", good, present: (text) => atIntrospection(server, text) },
    {
      name: "access token at userinfo",
      sentIn: "header",
      good,
      present: (text) => asBearer(server, "/oidc/v1/userinfo", text),
    },
    {
      name: "access token at our own interface",
      sentIn: "header",
      good,
      present: (text) => asBearer(server, `/v2/users/${server.user.userId}`, text),
    },
    { name: "access token at revocation", sentIn: "form", good, present: revocationOf(server, client, good) },
  ];
}

async function atIntrospection(server: OidcServer, text: string): Promise<Verdict> {
  const { status, body } = await server.form("/oauth/v2/introspect", { token: text }, server.client.basic);
  return { accepted: body?.active === true, status, body };
}

// Revocation answers 200 to everything; its effect shows in a token of the same claims. It comes last, because it ends
// a valid one.
function revocationOf(server: OidcServer, client: TestClient, good: () => GoodToken): Verifier["present"] {
  return async (text) => {
    const { status, body } = await server.form("/oauth/v2/revoke", { token: text }, client.basic);
    const { accepted } = await atIntrospection(server, goodJwt(good()));
    return { accepted: !accepted, status, body };
  };
}

/** What is exchanged for other tokens (RFC 8693 §2.1): our own, and what the client signs itself. */
async function subjectTokens(server: OidcServer, keys: OwnKeys): Promise<Verifier[]> {
  const { exchange, keyClient, tokensOf, agent } = await extend(server);
  const actor = await tokensOf(agent, "openid");
  const acting = { actor_token: actor["access_token"], actor_token_type: typeOf.access_token };
  const present =
    (type: TypeName, more: Readonly<Record<string, string | undefined>> = {}) =>
    async (text: string) => {
      const subject = { subject_token: text, subject_token_type: typeOf[type], scope: "openid" };
      const { status, body } = await exchange({ ...subject, ...more });
      return { accepted: status === 200, status, body };
    };
  const given = await tokensOf(server.user, "openid");
  const { clientId, keyId: kid, privateKey } = keyClient;
  const pair = { privateKey, publicKey: createPublicKey(privateKey) };
  const idTokenClaims = claimsOf(given["id_token"]);
  return [
    {
      name: "id token to be exchanged",
      sentIn: "form",
      good: () => withType(keys("RS256"), "JWT", idTokenClaims),
      present: present("id_token"),
    },
    {
      name: "JWT of the client to be exchanged",
      sentIn: "form",
      good: () => ({
        header: { alg: "RS256", kid, typ: "JWT" },
        claims: { ...assertionClaims(server, clientId), sub: server.user.userId },
        ...pair,
      }),
      present: present("jwt", acting),
    },
  ];
}

const withType = (own: Omit<GoodToken, "claims">, typ: string, claims: GoodToken["claims"]): GoodToken => ({
  ...own,
  header: { ...own.header, typ },
  claims,
});

/** Logout comes last, because it ends the session that the good token names. */
async function idTokenHints(server: OidcServer, keys: OwnKeys): Promise<Verifier[]> {
  const first = await server.tokens();
  const claims = claimsOf(first["id_token"]);
  const good = (): GoodToken => withType(keys("RS256"), "JWT", claims);
  const send = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const form = new URLSearchParams(parameters);
    const answer = await fetch(server.origin + path, { method: "POST", redirect: "manual", body: form });
    const body = (await answer.text()).slice(0, 300);
    return { location: answer.headers.get("location"), status: answer.status, body };
  };
  const { clientId, redirectUri } = server.client;
  const request = { client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  return [
    {
      name: "id_token_hint of an authorization request",
      sentIn: "form",
      good,
      // An invalid hint is left out; what the login is told shows the user that the server accepted.
      present: async (text) => {
        // By GET: a cross-site POST without cookies is first redirected as a GET.
        const query = new URLSearchParams({ ...request, id_token_hint: text });
        const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
        const location = new URL(answer.headers.get("location") ?? "", server.origin);
        const id = location.searchParams.get("authRequest") ?? "";
        const { status, body } = await server.rest("GET", `/v2/oidc/auth_requests/${id}`, { token: server.loginToken });
        return { accepted: body.authRequest?.hintUserId !== undefined, status: Math.max(status, answer.status), body };
      },
    },
    {
      name: "id_token_hint at logout",
      sentIn: "form",
      good,
      present: async (text) => {
        const { location, ...answer } = await send("/oidc/v1/end_session", { id_token_hint: text });
        return { ...answer, accepted: location?.startsWith("/ui/logout?client_id=") === true };
      },
    },
  ];
}

async function asBearer(server: OidcServer, path: string, text: string): Promise<Verdict> {
  const isSystem = path.startsWith("/system/");
  const options = { token: text, ...(isSystem && { body: {} }) };
  const { status, body } = await server.rest(isSystem ? "POST" : "GET", path, options);
  return { accepted: status === 200, status, body };
}

const claimsOf = (jwt = ""): Record<string, unknown> =>
  JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));

/** The key of a system user. */
export const systemUserKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
