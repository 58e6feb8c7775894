import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";
import { hostileForms } from "../../support/hostile/hostile-jose.ts";
import { goodJwt } from "../../support/oidc/signed-jose.ts";
import { startExchangeServer, typeOf } from "./support.ts";

test("no hostile form of a JWT passes for a subject or an actor, and none upsets the server", async (t) => {
  const server = await startExchangeServer(t);
  const { keyClient, user } = server;
  const now = Math.floor(server.clock.now / 1000);
  const good = {
    header: { alg: "RS256", kid: keyClient.keyId, typ: "JWT" },
    claims: { iss: keyClient.clientId, sub: user.userId, aud: server.origin, iat: now, exp: now + 300 },
    privateKey: keyClient.privateKey,
    publicKey: createPublicKey(keyClient.privateKey),
  } as const;
  const { access_token: agent = "" } = await server.tokensOf(server.agent, "openid");
  const { access_token: subject = "" } = await server.tokensOf(user, "openid");
  const actor = { actor_token: agent, actor_token_type: typeOf.access_token };
  const ask = (parameters: Readonly<Record<string, string>>) => server.exchange({ scope: "openid", ...parameters });
  // The control: without it a server that refuses everything would pass.
  const control = await ask({ subject_token: goodJwt(good), subject_token_type: typeOf.jwt, ...actor });
  assert.equal(control.status, 200, JSON.stringify(control.body));

  for (const { name, token } of hostileForms(good)) {
    const answers = await Promise.all([
      ask({ subject_token: token, subject_token_type: typeOf.jwt, ...actor }),
      ask({ subject_token: token, subject_token_type: typeOf.id_token }),
      ask({ subject_token: token, subject_token_type: typeOf.access_token }),
      ask({
        subject_token: subject,
        subject_token_type: typeOf.access_token,
        actor_token: token,
        actor_token_type: typeOf.id_token,
      }),
    ]);
    for (const { status, body } of answers) {
      // A body larger than any form is cut off before it is parsed.
      const expected = token.length > 60_000 ? 413 : 400;
      assert.deepEqual([status, body.error], [expected, "invalid_request"], `${name}: ${JSON.stringify(body)}`);
    }
  }
});
