/** Values of `response_type` (OAuth 2.0 Multiple Response Types §3, §5). */
export const responseTypes = ["code", "id_token", "id_token token"] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Values of `grant_type` that an application may be allowed to use. */
export const grantTypes = [
  "authorization_code",
  "implicit",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:device_code",
  "urn:ietf:params:oauth:grant-type:token-exchange",
] as const;
export type GrantType = (typeof grantTypes)[number];

/** How a client authenticates (RFC 7591 §2, `token_endpoint_auth_method`). */
const authMethods = ["client_secret_basic", "client_secret_post", "none", "private_key_jwt"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** Where the application runs; decides which redirect URIs are safe for it. */
const oidcApplicationTypes = ["web", "user_agent", "native"] as const;
export type OidcApplicationType = (typeof oidcApplicationTypes)[number];

/** Values of `id_token_signed_response_alg` (OpenID Connect Dynamic Client Registration §2). */
export const idTokenAlgorithms = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"] as const;
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number];

/**
 * What client assertions may have as audience: `issuer`, only our issuer (RFC 7523bis); `endpoints`, also the endpoints
 * at which clients authenticate (OpenID Connect Core §9). `default`: what the operator set for all clients.
 */
export type AssertionAudience = "default" | "issuer" | "endpoints";

/** A set of rules that a client keeps as a whole: that of FAPI 2.0, or none. */
export type ClientProfile = "" | "fapi2";

/** Which login serves the application: the instance's choice, the hosted login, or another login at its own address. */
export type LoginVersion =
  | { readonly kind: "unspecified" }
  | { readonly kind: "v1" }
  | { readonly kind: "v2"; readonly baseUri?: string };

/** How an application speaks OpenID Connect. Durations in milliseconds. */
export interface OidcConfiguration {
  readonly redirectUris: readonly string[];
  readonly responseTypes: readonly ResponseType[];
  readonly grantTypes: readonly GrantType[];
  readonly applicationType: OidcApplicationType;
  readonly authMethod: AuthMethod;
  readonly postLogoutRedirectUris: readonly string[];
  readonly version: "1.0";
  /** Redirect URIs may be patterns, and http is allowed everywhere. */
  readonly isDevelopmentMode: boolean;
  readonly accessTokenFormat: "opaque" | "jwt";
  readonly isAccessTokenRoleAssertionOn: boolean;
  readonly isIdTokenRoleAssertionOn: boolean;
  /** The id token carries the claims of profile, email and phone even when an access token is issued. */
  readonly isIdTokenUserinfoAssertionOn: boolean;
  /** Added to the lifetime of tokens on both sides, for resource servers with inaccurate clocks. 0 to 5 seconds. */
  readonly clockSkew: number;
  /** Origins that may call from a browser, besides those of the redirect URIs. */
  readonly additionalOrigins: readonly string[];
  readonly isNativeSuccessPageSkipped: boolean;
  /** Empty: the application is not told of logouts. */
  readonly backChannelLogoutUri: string;
  readonly loginVersion: LoginVersion;
  /** Tokens name only the client itself as audience, not the other applications of the project. */
  readonly isAudienceNarrow: boolean;
  /**
   * How long a replaced refresh token gets the same answer once more, in case the response was lost. 0 to 10 seconds.
   */
  readonly refreshGrace: number;
  /** Only authorization requests that the client pushed are accepted (RFC 9126 §6). */
  readonly isPushRequired: boolean;
  /** Only tokens that are bound to a key of the client are issued (RFC 9449 §5.2). */
  readonly isDpopRequired: boolean;
  /** Every authorization request needs a code challenge (RFC 9700 §2.1.1). Public clients always need one. */
  readonly isPkceRequired: boolean;
  /** Only signed request objects are accepted as authorization requests (RFC 9101 §10.5). */
  readonly isRequestObjectRequired: boolean;
  readonly assertionAudience: AssertionAudience;
  /** A refresh token stays the same when it is used (FAPI 2.0 Security Profile §5.3.2.1). */
  readonly isRotationOff: boolean;
  readonly profile: ClientProfile;
  /**
   * Each user is asked before the client gets access to the account. On for clients that no administrator vouches for.
   */
  readonly isConsentRequired: boolean;
  /**
   * Users' tokens of the application are valid for our own APIs. Only administrators of the instance vouch for an
   * application in this way (`domain/application/api-trust.ts`).
   */
  readonly isTrustedForApi: boolean;
  /** Id tokens name the project, its clients and requested projects as audience besides the client. */
  readonly isIdTokenAudienceWide: boolean;
  /** What is said about the user contains their roles in the project as an array of names, in `roleListClaim`. */
  readonly isRoleListOn: boolean;
  readonly roleListClaim: string;
  /** The same for the user's groups in the organization of the application. */
  readonly isGroupListOn: boolean;
  readonly groupListClaim: string;
  /** Signs the id tokens of both channels, while the instance has an active key for it. */
  readonly idTokenAlgorithm: IdTokenAlgorithm;
  /** Signs userinfo responses (`userinfo_signed_response_alg`); empty: they are plain JSON. */
  readonly userinfoAlgorithm: IdTokenAlgorithm | "";
  /** Where we can start a sign-in (OpenID Connect Core §4, third-party initiated login); empty: nowhere. */
  readonly initiateLoginUri: string;
  /** Public keys of the client (RFC 7591 §2, `jwks`), in addition to those that were added one by one. */
  readonly jwks: readonly Readonly<Record<string, unknown>>[];
  /** Where the client publishes its keys (`jwks_uri`); empty: nowhere. */
  readonly jwksUri: string;
  /** Addresses at which the client publishes request objects (RFC 7591, `request_uris`). */
  readonly requestUris: readonly string[];
  /** Classes that the client wishes for in `acr` when a request names none, best first (`default_acr_values`). */
  readonly defaultAcrValues: readonly string[];
}

export const defaultOidcConfiguration: OidcConfiguration = {
  redirectUris: [],
  responseTypes: [],
  grantTypes: [],
  applicationType: "web",
  authMethod: "client_secret_basic",
  postLogoutRedirectUris: [],
  version: "1.0",
  isDevelopmentMode: false,
  accessTokenFormat: "opaque",
  isAccessTokenRoleAssertionOn: false,
  isIdTokenRoleAssertionOn: false,
  isIdTokenUserinfoAssertionOn: false,
  clockSkew: 0,
  additionalOrigins: [],
  isNativeSuccessPageSkipped: false,
  backChannelLogoutUri: "",
  loginVersion: { kind: "unspecified" },
  isAudienceNarrow: false,
  refreshGrace: 0,
  isPushRequired: false,
  isDpopRequired: false,
  isPkceRequired: false,
  isRequestObjectRequired: false,
  assertionAudience: "default",
  isRotationOff: false,
  profile: "",
  isConsentRequired: false,
  isTrustedForApi: false,
  isIdTokenAudienceWide: false,
  isRoleListOn: false,
  roleListClaim: "roles",
  isGroupListOn: false,
  groupListClaim: "groups",
  idTokenAlgorithm: "RS256",
  userinfoAlgorithm: "",
  initiateLoginUri: "",
  jwks: [],
  jwksUri: "",
  requestUris: [],
  defaultAcrValues: [],
};
