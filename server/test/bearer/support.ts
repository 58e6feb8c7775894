import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type ExchangeServer, type Somebody, startExchangeServer } from "../oauth/token-exchange/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { makeProof, type ProofKey } from "../support/oidc/dpop.ts";
import type { TestClient } from "../support/oidc/oidc.ts";
import { minimal, setRegistration } from "../support/oidc/registration.ts";
import { appoint } from "../support/people/people.ts";
import type { ServerOptions } from "../support/servers/server.ts";

export const iam = "urn:service:iam";
export const forApis = `openid offline_access ${iam}:org:project:id:service:aud`;

/** What each endpoint that takes a token says about it: statuses, and whether introspection calls it active. */
export interface Verdicts {
  readonly introspection: "active" | "inactive";
  readonly userinfo: number;
  /** A method about the user of the token, by REST. */
  readonly rest: number;
  /** The same method by Connect. */
  readonly connect: number;
  /** Registration of a client, for which the user of the token has the permission. */
  readonly registration: number;
}

/** A token and how it is presented. */
export interface Presented {
  readonly token: string;
  readonly userId: string;
  /** The key that its sender proves; absent: the token is sent as Bearer. */
  readonly key?: ProofKey | undefined;
}

/** A token that is taken everywhere. */
export const taken: Verdicts = { introspection: "active", userinfo: 200, rest: 200, connect: 200, registration: 201 };
/** One that no endpoint takes. */
export const refused: Verdicts = {
  introspection: "inactive",
  userinfo: 401,
  rest: 401,
  connect: 401,
  registration: 401,
};
/** A live token of its user that gives nothing at our own APIs. */
export const notForApis: Verdicts = { ...taken, rest: 401, connect: 401, registration: 403 };
/** A live token in the hands of an actor, who may not call our own APIs. */
export const delegated: Verdicts = { ...taken, rest: 403, connect: 403, registration: 403 };

/** Starts a server on which administrators register clients. */
export async function startBearerServer(t: TestContext, options: ServerOptions): Promise<ExchangeServer> {
  const server = await startExchangeServer(t, options);
  await setRegistration(server, "token");
  await server.allowImpersonation(true);
  return server;
}

/** Asks every endpoint about a token. */
export async function verdictsOn(server: ExchangeServer, presented: Presented): Promise<Verdicts> {
  const { token, userId } = presented;
  const method = "/service.user.v2.UserService/GetUserByID";
  const [introspected, userinfo, rest, connect, registration] = await Promise.all([
    server.introspect(token),
    send(server, presented, "GET", "/oidc/v1/userinfo"),
    send(server, presented, "GET", `/v2/users/${userId}`),
    send(server, presented, "POST", method, { userId }),
    send(server, presented, "POST", "/oauth/v2/register", minimal),
  ]);
  const introspection = introspected["active"] === true ? "active" : "inactive";
  return { introspection, userinfo, rest, connect, registration };
}

async function send(
  server: ExchangeServer,
  { token, key }: Presented,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const dpop = key && (await makeProof(server, key, { path, method, accessToken: token }));
  const { status } = await fetch(server.origin + path, {
    method,
    headers: {
      authorization: `${key === undefined ? "Bearer" : "DPoP"} ${token}`,
      ...(dpop !== undefined && { dpop }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return status;
}

let count = 0;

/** A new person who may register clients in the organization, which makes them one of its administrators. */
export async function makeRegistrant(
  server: ExchangeServer,
  organizationId = server.organizationId,
): Promise<Somebody> {
  const person = await server.person(`person-${++count}`, organizationId);
  await appoint(server, person, { organizationId }, ["ORG_DYNAMIC_CLIENT_REGISTRAR"]);
  return person;
}

export const formats = { opaque: "OIDC_TOKEN_TYPE_BEARER", jwt: "OIDC_TOKEN_TYPE_JWT" } as const;
export type Format = keyof typeof formats;

const grantTypes = [
  "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
  "OIDC_GRANT_TYPE_REFRESH_TOKEN",
  "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
];

/** An application in the project of the server; trusted unless said otherwise. */
export const makeIssuer = (server: ExchangeServer, format: Format, more: object = {}): Promise<TestClient> =>
  server.createClient({ accessTokenType: formats[format], grantTypes, trustedForApi: true, ...more });

/** Requires that a call of the API succeeded; returns its answer. */
export async function done(asking: Promise<{ readonly status: number; readonly body: unknown }>) {
  const { status, body } = await asking;
  assert.ok(status < 300, JSON.stringify(body));
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as their method writes them.
  return body as any;
}
