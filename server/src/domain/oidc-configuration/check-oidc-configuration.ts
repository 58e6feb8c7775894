import { Fault } from "../../base/fault.ts";
import { checkClaimNames } from "./claim-name.ts";
import { checkProfile } from "./client-profile.ts";
import type { GrantType, OidcConfiguration } from "./oidc-configuration.ts";
import { isWeb, parseUri } from "./uri.ts";
import { compileUriPattern } from "./uri-pattern.ts";

/** Largest clock difference that can be compensated, in milliseconds. */
const longestClockSkew = 5_000;
/** Longest period in which a replaced refresh token is answered once more, in milliseconds. */
const longestRefreshGrace = 10_000;

/**
 * Rejects a configuration that is contradictory or would send browsers to unsafe URIs. What is merely unwise is
 * accepted and reported (`findComplianceProblems`).
 */
export function checkOidcConfiguration(configuration: OidcConfiguration): void {
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
  for (const uri of configuration[field]) {
    const isUsable =
      parseUri(uri) !== undefined || (configuration.isDevelopmentMode && compileUriPattern(uri) !== undefined);
    if (!isUsable) throw refuse("application.redirect_uri_invalid", field, { uri: uri.slice(0, 200) });
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
