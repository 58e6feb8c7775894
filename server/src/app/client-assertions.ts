import { toNumericDate } from "../base/clock.ts";
import { signJwt } from "../base/jose/index.ts";
import type { Random } from "../base/random.ts";
import { generateSecret } from "../base/secret.ts";
import type { Database } from "../database/index.ts";
import { ProviderRefused, type SignClientAssertion } from "../domain/identity-provider-client/index.ts";
import { listHostsOfInstance } from "../domain/instance/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";

const lifetimeSeconds = 60;

/**
 * Authenticates this service to identity providers, with the keys that sign its tokens and that anyone can read. So
 * that these assertions cannot be mistaken for our tokens, they have a `typ` of their own. A client id with one of our
 * hosts is refused, because our tokens name such a host as their issuer.
 */
export function createClientAssertions(deps: {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly random: Random;
}): SignClientAssertion {
  return async ({ instanceId, clientId, audience, algorithms = ["RS256"], now }) => {
    const host = URL.parse(clientId)?.hostname;
    const isOurs = host !== undefined && (await listHostsOfInstance(deps.database.read, instanceId)).includes(host);
    const keys = await deps.keyRing(instanceId);
    const algorithm = keys.activeAlgorithms.find((each) => algorithms.includes(each));
    if (isOurs || algorithm === undefined) throw new ProviderRefused("code_refused");
    const iat = toNumericDate(now);
    return signJwt(keys.signingKey(algorithm), "client-authentication+jwt", {
      iss: clientId,
      sub: clientId,
      aud: audience,
      iat,
      exp: iat + lifetimeSeconds,
      jti: generateSecret(deps.random).reveal(),
    });
  };
}
