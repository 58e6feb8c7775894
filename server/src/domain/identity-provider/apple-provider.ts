import { createPrivateKey } from "node:crypto";
import { hasInvisible } from "../../base/names/canonical.ts";
import type { KindRules } from "./provider-kind.ts";

/** Apple, with a well-known issuer. Its secret is a private key, which signs a client secret for each request. */
export interface AppleConfiguration {
  readonly kind: "apple";
  /** The Services ID. */
  readonly clientId: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
}

export const appleIssuer = "https://appleid.apple.com";

export const appleRules: KindRules<AppleConfiguration> = {
  fields: {
    clientId: "speaker",
    // Ids of accounts are those for a team.
    teamId: "speaker",
    keyId: "manner",
    scopes: "manner",
  },
  protocol: "openid",
  speaksAs: ({ clientId, teamId }) => ({ issuer: appleIssuer, clientId, teamId }),
  addresses: () => ({}),
  unfit: ({ teamId, keyId }) => [
    ...(hasInvisible(teamId) ? ["teamId"] : []),
    ...(hasInvisible(keyId) ? ["keyId"] : []),
  ],
  secretDestination: () => "apple",
  secretRules: {
    field: "privateKey",
    missing: { slug: "identity_provider.private_key_required" },
    isFit: (secret) => isKeyForEs256(secret.reveal()),
    unfit: { slug: "identity_provider.private_key_invalid" },
  },
  defaultScopes: ["name", "email"],
  defaultName: "Apple",
};

function isKeyForEs256(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
