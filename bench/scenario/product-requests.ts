import { type createPrivateKey, randomBytes, sign } from "node:crypto";
import type { RequestParts } from "../load/request.ts";
import type { Preparation } from "../load/work.ts";
import type { ProductSeed } from "../product/seed.ts";
import { type Challenge, type CodeClient, memberOf, newChallenge, redeem } from "./code-exchange.ts";

/** The requests that the scenarios of the product are made of. */
export const endpoints = {
  token: "/oauth/v2/token",
  pushedAuthorization: "/oauth/v2/par",
  deviceAuthorization: "/oauth/v2/device_authorization",
  userinfo: "/oidc/v1/userinfo",
} as const;

/** What people sign in for. */
export const userScope = "openid profile email";

/** A call of the API as JSON: a REST route, or a method as Connect. */
export const rest = (path: string, token: string, json: object): RequestParts => ({
  method: "POST",
  path,
  authorization: `Bearer ${token}`,
  json,
});

/** The scope that gives a token for the APIs of the product itself. */
const ownApis = "openid urn:service:iam:org:project:id:service:aud";

/** A service account asks for a token. */
export const clientCredentials = (authorization: string, scope = ownApis): RequestParts => ({
  method: "POST",
  path: endpoints.token,
  authorization,
  form: { grant_type: "client_credentials", scope },
});

/** The same by a signed assertion (RFC 7523). */
export const jwtProfile = (token: string): RequestParts => ({
  method: "POST",
  path: endpoints.token,
  form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: token, scope: "profile" },
});

/** An API asks about a token. */
export const introspect = ({ api }: ProductSeed, token: string): RequestParts => ({
  method: "POST",
  path: "/oauth/v2/introspect",
  authorization: api.basic,
  form: { token },
});

/** A signed assertion of the service account. */
export function assertion({ machine, origin }: ProductSeed, key: ReturnType<typeof createPrivateKey>): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = encode({ alg: "RS256", kid: machine.keyId });
  const jti = randomBytes(16).toString("base64url");
  const payload = encode({ iss: machine.userId, sub: machine.userId, aud: origin, iat: now, exp: now + 600, jti });
  return `${header}.${payload}.${sign("sha256", Buffer.from(`${header}.${payload}`), key).toString("base64url")}`;
}

/** An authorization request of the client. */
export function authorize({ client }: ProductSeed, scope: string, challenge: Challenge): RequestParts {
  const query = new URLSearchParams({ client_id: client.clientId, ...parametersOf(client, scope, challenge) });
  return { method: "GET", path: `/oauth/v2/authorize?${query}` };
}

/** The same pushed (RFC 9126). */
export const pushedRequest = ({ client }: ProductSeed, scope: string, challenge: Challenge): RequestParts => ({
  method: "POST",
  path: endpoints.pushedAuthorization,
  authorization: client.basic,
  form: parametersOf(client, scope, challenge),
});

const parametersOf = ({ redirectUri }: CodeClient, scope: string, { codeChallenge }: Challenge) => ({
  redirect_uri: redirectUri,
  response_type: "code",
  scope,
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
});

/** What a login says when the session of a user answers an authorization request. */
export const callback = ({ loginToken, session }: ProductSeed, head: string): RequestParts =>
  rest(`/v2/oidc/auth_requests/${/authRequest=([^&\s]+)/.exec(head)?.[1]}`, loginToken, { session });

/** The code that a callback has brought. */
export const codeOf = (body: string): string =>
  new URL(memberOf(body, "callbackUrl")).searchParams.get("code") ?? "no code";

/** Parts of a request as bytes, for the server of the run. */
export type Write = (parts: RequestParts) => string;

/** A code of a signed-in user, with its verifier. */
export async function newCode(seed: ProductSeed, write: Write, { send }: Preparation, scope: string) {
  const challenge = newChallenge();
  const redirected = await send(write(authorize(seed, scope, challenge)));
  const answered = await send(write(callback(seed, redirected.head)));
  return { code: codeOf(answered.body), codeVerifier: challenge.codeVerifier };
}

/** Tokens of a user, so many pairs. */
export function userTokens(seed: ProductSeed, write: Write, preparation: Preparation, count: number) {
  return preparation.many(count, async () => {
    const code = await newCode(seed, write, preparation, `${userScope} offline_access`);
    const { body } = await preparation.send(write(redeem(endpoints.token, seed.client, code)));
    return { accessToken: memberOf(body, "access_token"), refreshToken: memberOf(body, "refresh_token") };
  });
}
