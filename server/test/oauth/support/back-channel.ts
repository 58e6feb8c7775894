import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createLocalJWKSet, jwtVerify } from "jose";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import type { OidcServer, TestClient } from "../../support/oidc/oidc.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";

export interface Listening {
  readonly client: TestClient;
  readonly receiver: Receiver;
}

/** A client with a server of its own that wants to be told of logouts. */
export async function startListening(
  t: TestContext,
  server: OidcServer,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<Listening> {
  const receiver = await startReceiver(t);
  const client = await server.createClient({ backChannelLogoutUri: `${receiver.origin}/out`, ...configuration });
  return { client, receiver };
}

/** The session of a sign-in to all of the clients, with the tokens of each. */
export async function signInTo(server: OidcServer, clients: readonly TestClient[]) {
  const first = await server.signIn({ client: clients[0] as TestClient });
  const { sessionId, sessionToken } = first;
  const tokens: Record<string, string>[] = [];
  for (const client of clients) {
    tokens.push(await server.tokens({ client, session: { sessionId, sessionToken }, scope: "openid" }));
  }
  return { sessionId, sessionToken, tokens };
}

/**
 * Lets time pass and the jobs run, until so many notices have come to their end. The server's own timer may run the
 * jobs as well.
 */
export async function settle(server: OidcServer, count: number, step = 10_000): Promise<string[]> {
  await eventually(async () => {
    server.clock.now += step;
    await server.app.jobs.tick();
    return (await outcomes(server)).length >= count;
  }, `${count} notices come to their end`);
  return (await outcomes(server)).toSorted();
}

export async function verifyToken(server: OidcServer, { client, receiver }: Listening, body: string) {
  const form = new URLSearchParams(body);
  assert.deepEqual([...form.keys()], ["logout_token"]);
  const keys = (await server.rest("GET", "/oauth/v2/keys", { token: null })).body;
  assert.equal(receiver.received.at(-1)?.headers["content-type"], "application/x-www-form-urlencoded");
  return jwtVerify(form.get("logout_token") ?? "", createLocalJWKSet(keys), {
    issuer: server.origin,
    audience: client.clientId,
    typ: "logout+jwt",
    currentDate: new Date(server.clock.now),
    clockTolerance: "1h",
    requiredClaims: ["iss", "sub", "aud", "iat", "exp", "jti", "sid", "events"],
  });
}

/** Outcomes of notices as the events tell them: `type client attempts failure`. */
export async function outcomes(server: OidcServer): Promise<string[]> {
  const feed = await recordedEvents(server);
  return feed
    .filter(({ aggregateType }) => aggregateType === "logout_notice")
    .map(({ type, payload }) =>
      [type, payload["clientId"], payload["attempts"], payload["failure"]]
        .filter((part) => part !== undefined)
        .join(" "),
    );
}

/** Waits until it holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let count = 0; count < 400; count++) {
    if (await holds()) return;
    await wait(20);
  }
  assert.fail(what);
}
