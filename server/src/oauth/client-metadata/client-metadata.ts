import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { parseTarget } from "../../base/outbound/index.ts";
import {
  completeOidcConfiguration,
  findComplianceProblems,
  type GrantType,
  grantTypes,
  type IdTokenAlgorithm,
  idTokenAlgorithms,
  isLoopbackUri,
  type OidcConfiguration,
  type ResponseType,
  responseTypes,
} from "../../domain/oidc-configuration/index.ts";
import type { InertMetadata } from "../../domain/registration/index.ts";
import { readInertMetadata } from "./inert-metadata.ts";
import { readKeys } from "./keys.ts";
import { isTrue, type Members, oneOf, optionalText, texts } from "./members.ts";

/** Checked metadata of a client, with every default filled in. */
export interface ClientMetadata {
  readonly clientName: string | undefined;
  readonly configuration: OidcConfiguration;
  readonly inert: InertMetadata;
}

const authMethods = ["client_secret_basic", "client_secret_post", "none", "private_key_jwt"] as const;

/**
 * Reads client metadata (RFC 7591 §2, OpenID Connect Dynamic Client Registration §2). Ignores unknown members and does
 * not return them. Refuses with `invalid_redirect_uri` and `invalid_client_metadata` (RFC 7591 §3.2.2). The rules are
 * those for applications of administrators, but what is only advice to them is required here.
 */
export function readClientMetadata(members: Members): ClientMetadata {
  const redirectUris = readRedirectUris(members);
  const keys = readKeys(members);
  const authMethod = oneOf(members, "token_endpoint_auth_method", authMethods);
  const applicationType = readApplicationType(members, redirectUris, authMethod);
  if (optionalText(members, "subject_type") === "pairwise") throw invalid("subject_type must be public");
  if (authMethod === "private_key_jwt" && keys.jwks.length === 0 && keys.jwksUri === "") {
    throw invalid("private_key_jwt needs jwks or jwks_uri");
  }
  const configuration = complete({
    redirectUris,
    postLogoutRedirectUris: texts(members, "post_logout_redirect_uris") ?? [],
    responseTypes: readResponseTypes(members),
    grantTypes: readGrantTypes(members),
    applicationType,
    authMethod: authMethod ?? (applicationType === "native" ? "none" : "client_secret_basic"),
    idTokenAlgorithm: readIdTokenAlgorithm(members),
    userinfoAlgorithm: oneOf(members, "userinfo_signed_response_alg", idTokenAlgorithms) ?? "",
    backChannelLogoutUri: readWebAddress(members, "backchannel_logout_uri"),
    initiateLoginUri: readWebAddress(members, "initiate_login_uri"),
    requestUris: readRequestUris(members),
    defaultAcrValues: readDefaultAcrValues(members),
    // RFC 9126 §6, RFC 9449 §5.2. A client may restrict itself at registration; only its administrator can lift the
    // restriction.
    isPushRequired: isTrue(members, "require_pushed_authorization_requests"),
    isDpopRequired: isTrue(members, "dpop_bound_access_tokens"),
    // RFC 9101 §10.5.
    isRequestObjectRequired: isTrue(members, "require_signed_request_object"),
    isPkceRequired: isTrue(members, "require_pkce"),
    isRotationOff: isTrue(members, "refresh_token_rotation_disabled"),
    assertionAudience: oneOf(members, "client_assertion_audience", ["issuer", "endpoints"]) ?? "default",
    profile: oneOf(members, "security_profile", ["fapi2"]) ?? "",
    ...keys,
  });
  return { clientName: readClientName(members), configuration, inert: readInertMetadata(members) };
}

const mostBytesOfStranger = 32 * 1024;

/**
 * Restricts the metadata of an untrusted client: every user must consent, and our pages do not link to an address that
 * a stranger chose. The address that starts a sign-in is therefore only stored. Lists are bounded one by one, and all
 * together, because anyone may have them stored.
 */
export function asStranger({ configuration, inert, ...rest }: ClientMetadata): ClientMetadata {
  const { initiateLoginUri } = configuration;
  const restricted = {
    ...rest,
    configuration: { ...configuration, initiateLoginUri: "", isConsentRequired: true },
    inert: initiateLoginUri === "" ? inert : { ...inert, initiate_login_uri: initiateLoginUri },
  };
  if (Buffer.byteLength(JSON.stringify(restricted)) > mostBytesOfStranger) {
    throw invalid(`the metadata are longer than ${mostBytesOfStranger} bytes`);
  }
  return restricted;
}

function readRedirectUris(members: Members): string[] {
  let given: string[] | undefined;
  try {
    given = texts(members, "redirect_uris");
  } catch (error) {
    if (error instanceof OAuthError) throw new OAuthError("invalid_redirect_uri", error.description);
    throw error;
  }
  const uris = (given ?? []).map((uri) => uri.trim()).filter((uri) => uri !== "");
  if (uris.length === 0) throw new OAuthError("invalid_redirect_uri", "redirect_uris needs at least one URI");
  return uris;
}

// Without an application type, the redirect URIs decide: only software on the user's own machine has a scheme or a port
// of its own there.
function readApplicationType(
  members: Members,
  redirectUris: readonly string[],
  authMethod: string | undefined,
): "web" | "native" {
  const given = oneOf(members, "application_type", ["web", "native"] as const);
  if (given !== undefined) return given;
  const mayBePublic = authMethod === undefined || authMethod === "none";
  const isOnMachine = redirectUris.some((uri) => !/^https?:/i.test(uri) || isLoopbackUri(uri));
  return mayBePublic && isOnMachine ? "native" : "web";
}

// The order of words has no meaning (OAuth 2.0 Multiple Response Types §5).
function readResponseTypes(members: Members): ResponseType[] {
  const given = texts(members, "response_types") ?? ["code"];
  return given.map((value) => {
    const words = value.trim().split(/ +/).toSorted().join(" ");
    const known = responseTypes.find((type) => type === words);
    if (known === undefined) throw invalid("a value of response_types is not supported");
    return known;
  });
}

function readGrantTypes(members: Members): GrantType[] {
  const given = texts(members, "grant_types") ?? ["authorization_code"];
  return given.map((value) => {
    const known = grantTypes.find((type) => type === value);
    if (known === undefined) throw invalid("a value of grant_types is not supported");
    return known;
  });
}

const readIdTokenAlgorithm = (members: Members): IdTokenAlgorithm =>
  oneOf(members, "id_token_signed_response_alg", idTokenAlgorithms) ?? "RS256";

function readWebAddress(members: Members, name: string): string {
  const uri = optionalText(members, name) ?? "";
  if (uri !== "" && parseTarget(uri) === undefined) throw invalid(`${name} is not a web address`);
  return uri;
}

const mostRequestUris = 20;

// The object behind such an address must be signed, and we fetch it, so only https addresses are allowed. A fragment
// names a version.
function readRequestUris(members: Members): string[] {
  const given = texts(members, "request_uris") ?? [];
  const isUsable = (uri: string): boolean =>
    uri.length <= 2048 && parseTarget(uri.split("#", 1)[0] ?? "")?.protocol === "https:" && !uri.includes("\0");
  if (given.length > mostRequestUris || !given.every(isUsable)) {
    throw invalid(`request_uris is not a list of at most ${mostRequestUris} https addresses`);
  }
  return [...new Set(given)];
}

// As they were given: the response tells the client what was registered. A request passes over unknown ones.
function readDefaultAcrValues(members: Members): string[] {
  const given = texts(members, "default_acr_values") ?? [];
  if (given.length > 20 || !given.every((value) => /^[\x21-\x7e]{1,200}$/.test(value))) {
    throw invalid("default_acr_values is not a list of at most 20 values without spaces");
  }
  return [...new Set(given)];
}

function readClientName(members: Members): string | undefined {
  const name = optionalText(members, "client_name")?.trim();
  if (name === undefined || name === "") return undefined;
  if (!isName(name)) throw invalid("client_name is not a name");
  return name;
}

function complete(given: Partial<OidcConfiguration>): OidcConfiguration {
  const configuration = completed(given);
  const { isNonCompliant, problems } = findComplianceProblems(configuration);
  if (!isNonCompliant) return configuration;
  const isAboutUris = problems.some((problem) => problem.includes("RedirectUris"));
  throw isAboutUris
    ? new OAuthError("invalid_redirect_uri", "a redirect URI does not fit the type of the application")
    : invalid("the authentication method or the grant types do not fit the type of the application");
}

function completed(given: Partial<OidcConfiguration>): OidcConfiguration {
  try {
    return completeOidcConfiguration(given);
  } catch (error) {
    throw error instanceof Fault ? toMetadataError(error) : error;
  }
}

/** Returns the refusal of a configuration in the words of client metadata (RFC 7591 §3.2.2). */
export function toMetadataError(refused: Fault): OAuthError {
  if (refused.id === "field.too_long") {
    const what = refused.field?.endsWith("jwks") ? "jwks has" : "the URIs of the client together have";
    return invalid(`${what} more than ${refused.values["maximum"]} characters`);
  }
  if (refused.field === "oidcConfiguration.redirectUris") {
    return new OAuthError("invalid_redirect_uri", "a redirect URI is not one that a browser can be sent to");
  }
  const field = refused.field?.replace("oidcConfiguration.", "") ?? "metadata";
  return invalid(wireNames[field] ?? "the metadata do not fit together");
}

const wireNames: Readonly<Record<string, string>> = {
  responseTypes: "response_types needs at least one value",
  grantTypes: "grant_types and response_types do not fit together",
  postLogoutRedirectUris: "a value of post_logout_redirect_uris is not one that a browser can be sent to",
  backChannelLogoutUri: "backchannel_logout_uri is not a web address",
  initiateLoginUri: "initiate_login_uri is not an https address",
  refreshTokenRotationDisabled: "refresh_token_rotation_disabled needs private_key_jwt or dpop_bound_access_tokens",
  authMethodType: "token_endpoint_auth_method does not fit the security_profile",
  idTokenSignedResponseAlg: "id_token_signed_response_alg does not fit the security_profile",
  userinfoSignedResponseAlg: "userinfo_signed_response_alg does not fit the security_profile",
};

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
