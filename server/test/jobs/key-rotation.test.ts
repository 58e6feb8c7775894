import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader, errors as refused } from "jose";
import { days, hours, minutes } from "../../src/base/clock.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";

test("keys rotate by themselves, and relying parties that cache the key set notice nothing", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const verify = relyingParty(server);
  const signers = new Set<string>();
  let living: { readonly token: string; readonly expiresAt: number }[] = [];
  const started = server.clock.now;
  while (server.clock.now < started + days(190)) {
    await server.app.jobs.tick();
    const { access_token: token = "" } = await server.tokens({ client });
    signers.add(keyOf(token));
    living.push({ token, expiresAt: server.clock.now + hours(12) });
    living = living.filter(({ expiresAt }) => expiresAt > server.clock.now);
    for (const one of living) await verify(one.token);
    // Around a change every minute matters; between changes time flies.
    const age = (server.clock.now - started) % days(90);
    const isNear = age > days(90) - minutes(30) || age < minutes(30) || (age > hours(11) && age < hours(13));
    server.clock.now += isNear ? minutes(7) : Math.min(days(4), days(90) - minutes(29) - age);
  }
  assert.equal(signers.size, 3);
  const { body } = await server.rest("GET", "/oauth/v2/keys", { token: null });
  const published = body.keys.map(({ kid }: { kid: string }) => kid);
  assert.deepEqual(
    [...signers].map((keyId) => published.includes(keyId)),
    [false, false, true],
    "old keys went",
  );
});

test("a token verifies until its key is removed, not longer", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const verify = relyingParty(server);
  const { access_token: token = "" } = await server.tokens({ client });
  const started = server.clock.now;
  const look = async (at: number): Promise<void> => {
    server.clock.now = started + at;
    await server.app.jobs.tick();
  };
  // Its lifetime is noted; its successor is published and signs; it goes when its last token has died and every cache
  // with it.
  for (const at of [0, days(90) - minutes(5), days(90) + minutes(5), days(90) + hours(12)]) {
    await look(at);
    await verify(token);
  }
  await look(days(90) + hours(12) + minutes(10));
  server.clock.now += minutes(5);
  await assert.rejects(verify(token), refused.JWKSNoMatchingKey);
});

const keyOf = (token: string): string => decodeProtectedHeader(token).kid ?? "";

/** Verifies signatures with a key set that is never asked for twice within the time that it may be cached. */
function relyingParty(server: OidcServer): (token: string) => Promise<void> {
  const keySet = createRemoteJWKSet(new URL("/oauth/v2/keys", server.origin), {
    cacheMaxAge: minutes(5),
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  return async (token) => {
    mock.timers.enable({ apis: ["Date"], now: server.clock.now });
    try {
      await compactVerify(token, keySet);
    } finally {
      mock.timers.reset();
    }
  };
}
