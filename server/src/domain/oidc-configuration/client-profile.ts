import { Fault } from "../../base/fault.ts";
import type { SignatureAlgorithm } from "../../base/jose/index.ts";
import { type IdTokenAlgorithm, type OidcConfiguration, responseTypes } from "./oidc-configuration.ts";
import { parseUri } from "./uri.ts";

/** Signature algorithms of the FAPI 2.0 Security Profile (§5.4.1), ours and the client's. */
const fapiAlgorithms = ["PS256", "ES256", "EdDSA"] as const satisfies readonly IdTokenAlgorithm[];

/** Longest lifetime of an authorization code of a FAPI client, in seconds (FAPI 2.0 Security Profile §5.3.2.1). */
export const fapiCodeLifetimeSeconds = 60;

/** Whether the FAPI 2.0 profile accepts an algorithm of ours or of a client. `Ed25519` is EdDSA (RFC 9864). */
export const isFapiAlgorithm = (algorithm: SignatureAlgorithm | ""): boolean =>
  algorithm === "Ed25519" || fapiAlgorithms.some((known) => known === algorithm);

/**
 * Sets the fields that the profile of a configuration decides. An id token algorithm that the profile does not accept
 * and that is merely the default becomes ES256. `checkProfile` rejects what cannot be set.
 */
export function keepProfile(configuration: OidcConfiguration): OidcConfiguration {
  if (configuration.profile !== "fapi2") return configuration;
  const { idTokenAlgorithm } = configuration;
  return {
    ...configuration,
    isPushRequired: true,
    isPkceRequired: true,
    isDpopRequired: true,
    assertionAudience: "issuer",
    isRotationOff: true,
    refreshGrace: 0,
    idTokenAlgorithm: idTokenAlgorithm === "RS256" ? "ES256" : idTokenAlgorithm,
  };
}

/** Rejects what contradicts the FAPI 2.0 profile (FAPI 2.0 Security Profile §5.3.2, §5.4.1). */
export function checkProfile(configuration: OidcConfiguration): void {
  const { profile, authMethod, idTokenAlgorithm, userinfoAlgorithm } = configuration;
  if (profile === "") return;
  if (authMethod !== "private_key_jwt") throw contradicts("authMethodType");
  if (configuration.responseTypes.some((type) => type !== responseTypes[0])) throw contradicts("responseTypes");
  if (configuration.grantTypes.includes("implicit")) throw contradicts("grantTypes");
  if (configuration.isDevelopmentMode) throw contradicts("developmentMode");
  if (!configuration.redirectUris.every((uri) => parseUri(uri)?.scheme === "https")) throw contradicts("redirectUris");
  if (!isFapiAlgorithm(idTokenAlgorithm)) throw contradicts("idTokenSignedResponseAlg");
  if (userinfoAlgorithm !== "" && !isFapiAlgorithm(userinfoAlgorithm)) throw contradicts("userinfoSignedResponseAlg");
}

const contradicts = (field: string): Fault =>
  new Fault("invalid_argument", "application.profile_contradicted", { field: `oidcConfiguration.${field}` });
