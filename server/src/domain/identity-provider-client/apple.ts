import { createPrivateKey } from "node:crypto";
import { type Instant, minutes } from "../../base/clock.ts";
import { createSigningKey, parseStrictObject, signJwt } from "../../base/jose/index.ts";
import { isRecord } from "../../base/json.ts";
import { Secret } from "../../base/secret.ts";
import { appleIssuer, type ConfigurationOf } from "../identity-provider/index.ts";
import { type ExternalIdentity, textOf } from "./external-identity.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

export interface AppleProvider extends Pick<ConfigurationOf<"apple">, "clientId" | "teamId" | "keyId" | "scopes"> {
  /** The private key (PEM) that signs client secrets. */
  readonly privateKey: Secret | undefined;
}

// Apple permits six months. The secret is made for one request.
const lifetime = minutes(5);

/**
 * Creates a client of Sign in with Apple: an OpenID provider without userinfo and with a signed client secret, which
 * posts its answer and adds the user's name to the first one.
 */
export function createAppleClient(deps: ProviderClientDeps, provider: AppleProvider): CodeFlowClient {
  const { clientId, scopes } = provider;
  const clientWith = (clientSecret: Secret | undefined): CodeFlowClient =>
    createOidcClient(deps, {
      issuer: appleIssuer,
      clientId,
      clientSecret,
      scopes,
      usesIdTokenOnly: true,
      // Required as soon as a scope is asked for.
      parameters: { response_mode: "form_post" },
      isPlain: true,
      adjust: trustEmail,
    });
  const unsigned = clientWith(undefined);
  return {
    flow: "code",
    begin: unsigned.begin,
    checkIssuer: unsigned.checkIssuer,
    complete: async (answer) => {
      const identity = await clientWith(await signSecret(provider, answer.now)).complete(answer);
      return { ...identity, ...namesIn(answer.user) };
    },
  };
}

/** Signs the client secret for a request. */
async function signSecret({ clientId, teamId, keyId, privateKey }: AppleProvider, now: Instant): Promise<Secret> {
  if (privateKey === undefined) throw new ProviderRefused("code_refused");
  const key = createSigningKey(keyId, "ES256", createPrivateKey(privateKey.reveal()));
  const [iat, exp] = [now, now + lifetime].map((instant) => Math.floor(instant / 1000));
  return new Secret(await signJwt(key, "JWT", { iss: teamId, iat, exp, aud: appleIssuer, sub: clientId }));
}

/** Apple confirms every address, its own relay's too, and says so in a boolean or in a text. */
const trustEmail = (identity: ExternalIdentity): ExternalIdentity => ({
  ...identity,
  isEmailVerified: identity.email !== undefined && [true, "true"].includes(identity.raw["email_verified"] as boolean),
});

/**
 * Reads the names in the `user` field. Apple sends it with the first answer only, and unsigned, so the browser's user
 * could have written anything: names are taken, and no address.
 */
function namesIn(user: string | undefined): Pick<ExternalIdentity, "givenName" | "familyName"> | undefined {
  if (user === undefined) return undefined;
  const name = parseStrictObject(Buffer.from(user, "utf8"))?.["name"];
  if (!isRecord(name)) return undefined;
  return { givenName: textOf(name["firstName"]), familyName: textOf(name["lastName"]) };
}
