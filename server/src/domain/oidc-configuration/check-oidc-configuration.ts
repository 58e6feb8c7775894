import { Fault } from "../../base/fault.ts";
import { checkClaimNames } from "./claim-name.ts";
import { checkProfile } from "./client-profile.ts";
import type { GrantType, OidcConfiguration } from "./oidc-configuration.ts";
import { isWeb, parseUri } from "./uri.ts";
import { compileUriPattern, mostWildcards } from "./uri-pattern.ts";

/** Largest clock difference that can be compensated, in milliseconds. */
const longestClockSkew = 5_000;
/** Longest period in which a replaced refresh token is answered once more, in milliseconds. */
const longestRefreshGrace = 10_000;
/** Most characters of all URIs and origins of an application, and of its public keys: each request reads them. */
const mostCharacters = 32_768;

const uriLists = ["redirectUris", "postLogoutRedirectUris", "additionalOrigins", "requestUris"] as const;

/**
 * Rejects a configuration that is contradictory or would send browsers to unsafe URIs. What is merely unwise is
 * accepted and reported (`findComplianceProblems`). What is stored already may stay as long as it is.
 */
export function checkOidcConfiguration(configuration: OidcConfiguration, stored: OidcConfiguration): void {
  checkSize(configuration, stored);
  checkGrantTypes(configuration);
  checkDuration(configuration.clockSkew, longestClockSkew, "application.clock_skew_invalid", "clockSkew");
  checkDuration(configuration.refreshGrace, longestRefreshGrace, "application.refresh_grace_invalid", "refreshGrace");
  checkRedirectUris(configuration, "redirectUris");
  checkRedirectUris(configuration, "postLogoutRedirectUris");
  for (const origin of configuration.additionalOrigins) {
    if (!isOrigin(origin)) throw refuse("application.origin_invalid", "additionalOrigins", { origin });
  }
  checkWebAddress(
    configuration.backChannelLogoutUri,
    "application.back_channel_logout_uri_invalid",
    "backChannelLogoutUri",
  );
  checkInitiateLoginUri(configuration);
  checkRotation(configuration);
  checkProfile(configuration);
  checkClaimNames(configuration);
  if (configuration.loginVersion.kind === "v2") {
    checkWebAddress(
      configuration.loginVersion.baseUri ?? "",
      "application.login_uri_invalid",
      "loginVersion.loginV2.baseUri",
    );
  }
}

// Names the list that the characters ran out in.
function checkSize(configuration: OidcConfiguration, stored: OidcConfiguration): void {
  const most = Math.max(mostCharacters, totalOf(stored));
  let total = 0;
  for (const field of uriLists) {
    total += sizeOf(configuration[field]);
    if (total > most) throw refuse("field.too_long", field, { field, maximum: String(mostCharacters) });
  }
  if (configuration.jwks === stored.jwks || JSON.stringify(configuration.jwks).length <= mostCharacters) return;
  throw refuse("field.too_long", "jwks", { field: "jwks", maximum: String(mostCharacters) });
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
const totalOf = (configuration: OidcConfiguration): number =>
  uriLists.reduce((sum, field) => sum + sizeOf(configuration[field]), 0);

/** A scheme and a host with its port, nothing else (RFC 6454). */
function isOrigin(text: string): boolean {
  const uri = parseUri(text);
  return uri !== undefined && uri.authority !== "" && uri.path === "" && uri.query === "";
}

function checkGrantTypes({ responseTypes, grantTypes }: OidcConfiguration): void {
  if (responseTypes.length === 0) throw refuse("application.response_type_missing", "responseTypes");
  const demand = (needed: GrantType): void => {
    if (!grantTypes.includes(needed))
      throw refuse("application.grant_type_missing", "grantTypes", { grantType: needed });
  };
  for (const responseType of responseTypes) {
    if (responseType !== "code") demand("implicit");
    // A device gets its tokens without the front channel, so a device application needs no authorization code.
    else if (!grantTypes.includes("urn:ietf:params:oauth:grant-type:device_code")) demand("authorization_code");
  }
}

// A token that stays the same must be useless to anyone but the client (FAPI 2.0 Security Profile §5.3.2.1, RFC 9700
// §2.2.2): it takes the client's key to use it.
function checkRotation({ isRotationOff, isDpopRequired, authMethod }: OidcConfiguration): void {
  if (!isRotationOff || isDpopRequired || authMethod === "private_key_jwt") return;
  throw refuse("application.rotation_needed", "refreshTokenRotationDisabled");
}

function checkDuration(value: number, longest: number, refusal: string, field: string): void {
  if (!Number.isInteger(value) || value < 0 || value > longest) throw refuse(refusal, field);
}

function checkRedirectUris(configuration: OidcConfiguration, field: "redirectUris" | "postLogoutRedirectUris"): void {
  let wildcards = 0;
  for (const uri of configuration[field]) {
    const pattern = configuration.isDevelopmentMode ? compileUriPattern(uri) : undefined;
    if (parseUri(uri) === undefined && pattern === undefined) {
      throw refuse("application.redirect_uri_invalid", field, { uri: uri.slice(0, 200) });
    }
    wildcards += pattern?.wildcards ?? 0;
  }
  if (wildcards > mostWildcards) {
    throw refuse("application.wildcards_too_many", field, { maximum: String(mostWildcards) });
  }
}

// OpenID Connect Dynamic Client Registration §2 requires https. Our pages link to it, so only a web address is
// accepted.
function checkInitiateLoginUri({ initiateLoginUri, isDevelopmentMode }: OidcConfiguration): void {
  if (initiateLoginUri === "") return;
  const uri = parseUri(initiateLoginUri);
  const isUsable = uri !== undefined && isWeb(uri) && (isDevelopmentMode || uri.scheme === "https");
  if (!isUsable) throw refuse("application.initiate_login_uri_invalid", "initiateLoginUri");
}

function checkWebAddress(text: string, refusal: string, field: string): void {
  if (text === "") return;
  const uri = parseUri(text);
  if (uri === undefined || !isWeb(uri)) throw refuse(refusal, field);
}

function refuse(slug: string, field: string, values: Record<string, string> = {}): Fault {
  return new Fault("invalid_argument", slug, { field: `oidcConfiguration.${field}`, values });
}
