import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import {
  type OIDCConfigurationSchema,
  OIDCApplicationType as WireApplicationType,
  OIDCAssertionAudience as WireAssertionAudience,
  OIDCAuthMethodType as WireAuthMethod,
  OIDCClientProfile as WireClientProfile,
  OIDCGrantType as WireGrantType,
  OIDCResponseType as WireResponseType,
  OIDCTokenType as WireTokenType,
  OIDCVersion as WireVersion,
} from "@doorward/api/service/application/v2/oidc_pb";
import { Fault } from "../../../base/fault.ts";
import { storedJwkThumbprint } from "../../../base/jose/index.ts";
import type { Language } from "../../../base/language.ts";
import type { OidcApplication } from "../../../domain/application/index.ts";
import {
  type AssertionAudience,
  type AuthMethod,
  type ClientProfile,
  defaultOidcConfiguration,
  findComplianceProblems,
  type GrantType,
  type IdTokenAlgorithm,
  idTokenAlgorithms,
  listAllowedOrigins,
  type OidcApplicationType,
  type OidcConfiguration,
  type ResponseType,
} from "../../../domain/oidc-configuration/index.ts";
import type { Texts } from "../../../text/index.ts";
import { defined } from "../../contract/index.ts";
import { toLoginVersion, toWireLoginVersion, type WireLoginVersion } from "./login-version.ts";

type WireDuration = Pick<Duration, "seconds" | "nanos">;

/** The fields of `CreateOIDCApplicationRequest` and `UpdateOIDCApplicationConfigurationRequest`. */
interface WireConfiguration {
  readonly redirectUris: readonly string[];
  readonly responseTypes: readonly WireResponseType[];
  readonly grantTypes: readonly WireGrantType[];
  readonly applicationType?: WireApplicationType | undefined;
  readonly authMethodType?: WireAuthMethod | undefined;
  readonly postLogoutRedirectUris: readonly string[];
  readonly version?: WireVersion | undefined;
  readonly developmentMode?: boolean | undefined;
  readonly accessTokenType?: WireTokenType | undefined;
  readonly accessTokenRoleAssertion?: boolean | undefined;
  readonly idTokenRoleAssertion?: boolean | undefined;
  readonly idTokenUserinfoAssertion?: boolean | undefined;
  readonly clockSkew?: WireDuration | undefined;
  readonly additionalOrigins: readonly string[];
  readonly skipNativeAppSuccessPage?: boolean | undefined;
  readonly backChannelLogoutUri?: string | undefined;
  readonly loginVersion?: WireLoginVersion | undefined;
  readonly narrowAudience?: boolean | undefined;
  readonly refreshTokenGrace?: WireDuration | undefined;
  readonly idTokenSignedResponseAlg?: string | undefined;
  readonly userinfoSignedResponseAlg?: string | undefined;
  readonly initiateLoginUri?: string | undefined;
  readonly requirePushedAuthorizationRequests?: boolean | undefined;
  readonly dpopBoundAccessTokens?: boolean | undefined;
  readonly consentRequired?: boolean | undefined;
  readonly pkceRequired?: boolean | undefined;
  readonly assertionAudience?: WireAssertionAudience | undefined;
  readonly refreshTokenRotationDisabled?: boolean | undefined;
  readonly requireSignedRequestObject?: boolean | undefined;
  readonly securityProfile?: WireClientProfile | undefined;
  readonly trustedForApi?: boolean | undefined;
  readonly wideIdTokenAudience?: boolean | undefined;
  readonly roleListAssertion?: boolean | undefined;
  readonly roleListClaim?: string | undefined;
  readonly groupListAssertion?: boolean | undefined;
  readonly groupListClaim?: string | undefined;
}

/**
 * Reads the given fields of a configuration. An empty list cannot be told from an absent one, so it means: the default
 * when an application is created, no change when it is updated.
 */
export function fromWireConfiguration(wire: WireConfiguration): Partial<OidcConfiguration> {
  return defined({
    redirectUris: given(wire.redirectUris),
    responseTypes: given(wire.responseTypes.flatMap((type) => responseTypes[type] ?? [])),
    grantTypes: given(wire.grantTypes.map((type) => grantTypes[type])),
    applicationType: wire.applicationType === undefined ? undefined : applicationTypes[wire.applicationType],
    authMethod: wire.authMethodType === undefined ? undefined : authMethods[wire.authMethodType],
    postLogoutRedirectUris: given(wire.postLogoutRedirectUris),
    isDevelopmentMode: wire.developmentMode,
    accessTokenFormat: wire.accessTokenType === undefined ? undefined : accessTokenFormats[wire.accessTokenType],
    isAccessTokenRoleAssertionOn: wire.accessTokenRoleAssertion,
    isIdTokenRoleAssertionOn: wire.idTokenRoleAssertion,
    isIdTokenUserinfoAssertionOn: wire.idTokenUserinfoAssertion,
    clockSkew: wire.clockSkew && toMilliseconds(wire.clockSkew),
    additionalOrigins: given(wire.additionalOrigins),
    isNativeSuccessPageSkipped: wire.skipNativeAppSuccessPage,
    backChannelLogoutUri: wire.backChannelLogoutUri,
    loginVersion: wire.loginVersion && toLoginVersion(wire.loginVersion),
    idTokenAlgorithm: toIdTokenAlgorithm(wire.idTokenSignedResponseAlg),
    userinfoAlgorithm: toUserinfoAlgorithm(wire.userinfoSignedResponseAlg),
    isAudienceNarrow: wire.narrowAudience,
    refreshGrace: wire.refreshTokenGrace && toMilliseconds(wire.refreshTokenGrace),
    initiateLoginUri: wire.initiateLoginUri,
    isPushRequired: wire.requirePushedAuthorizationRequests,
    isDpopRequired: wire.dpopBoundAccessTokens,
    isConsentRequired: wire.consentRequired,
    isPkceRequired: wire.pkceRequired,
    assertionAudience: wire.assertionAudience === undefined ? undefined : assertionAudiences[wire.assertionAudience],
    isRotationOff: wire.refreshTokenRotationDisabled,
    isRequestObjectRequired: wire.requireSignedRequestObject,
    profile: wire.securityProfile === undefined ? undefined : profiles[wire.securityProfile],
    isTrustedForApi: wire.trustedForApi,
    isIdTokenAudienceWide: wire.wideIdTokenAudience,
    isRoleListOn: wire.roleListAssertion,
    roleListClaim: wire.roleListClaim === "" ? defaultOidcConfiguration.roleListClaim : wire.roleListClaim,
    isGroupListOn: wire.groupListAssertion,
    groupListClaim: wire.groupListClaim === "" ? defaultOidcConfiguration.groupListClaim : wire.groupListClaim,
  });
}

/** Converts the configuration to the record, with what is unwise about it in the reader's language. */
export function toWireConfiguration(
  { clientId, configuration }: OidcApplication,
  speak: { readonly texts: Texts; readonly language: Language },
) {
  return {
    clientId,
    redirectUris: [...configuration.redirectUris],
    responseTypes: configuration.responseTypes.map((type) => wireResponseTypes[type]),
    grantTypes: configuration.grantTypes.map((type) => wireGrantTypes[type]),
    applicationType: wireApplicationTypes[configuration.applicationType],
    authMethodType: wireAuthMethods[configuration.authMethod],
    postLogoutRedirectUris: [...configuration.postLogoutRedirectUris],
    version: WireVersion.OIDC_VERSION_1_0,
    ...toWireCompliance(configuration, speak),
    developmentMode: configuration.isDevelopmentMode,
    accessTokenType: wireTokenTypes[configuration.accessTokenFormat],
    accessTokenRoleAssertion: configuration.isAccessTokenRoleAssertionOn,
    idTokenRoleAssertion: configuration.isIdTokenRoleAssertionOn,
    idTokenUserinfoAssertion: configuration.isIdTokenUserinfoAssertionOn,
    clockSkew: fromMilliseconds(configuration.clockSkew),
    additionalOrigins: [...configuration.additionalOrigins],
    allowedOrigins: listAllowedOrigins(configuration),
    skipNativeAppSuccessPage: configuration.isNativeSuccessPageSkipped,
    backChannelLogoutUri: configuration.backChannelLogoutUri,
    ...toWireLoginVersion(configuration.loginVersion),
    narrowAudience: configuration.isAudienceNarrow,
    refreshTokenGrace: fromMilliseconds(configuration.refreshGrace),
    idTokenSignedResponseAlg: configuration.idTokenAlgorithm,
    userinfoSignedResponseAlg: configuration.userinfoAlgorithm,
    initiateLoginUri: configuration.initiateLoginUri,
    requirePushedAuthorizationRequests: configuration.isPushRequired,
    dpopBoundAccessTokens: configuration.isDpopRequired,
    consentRequired: configuration.isConsentRequired,
    pkceRequired: configuration.isPkceRequired,
    assertionAudience: wireAssertionAudiences[configuration.assertionAudience],
    refreshTokenRotationDisabled: configuration.isRotationOff,
    requireSignedRequestObject: configuration.isRequestObjectRequired,
    securityProfile: wireProfiles[configuration.profile],
    trustedForApi: configuration.isTrustedForApi,
    wideIdTokenAudience: configuration.isIdTokenAudienceWide,
    roleListAssertion: configuration.isRoleListOn,
    roleListClaim: configuration.roleListClaim,
    groupListAssertion: configuration.isGroupListOn,
    groupListClaim: configuration.groupListClaim,
    jwksUri: configuration.jwksUri,
    jwkThumbprints: configuration.jwks.map(storedJwkThumbprint),
    requestUris: [...configuration.requestUris],
  } satisfies MessageInitShape<typeof OIDCConfigurationSchema>;
}

/** Lists what is unwise about a configuration. */
export function toWireCompliance(
  configuration: OidcConfiguration,
  { texts, language }: { readonly texts: Texts; readonly language: Language },
): { nonCompliant: boolean; complianceProblems: { key: string; localizedMessage: string }[] } {
  const { isNonCompliant, problems } = findComplianceProblems(configuration);
  return {
    nonCompliant: isNonCompliant,
    complianceProblems: problems.map((key) => ({
      key,
      localizedMessage: texts.translate(language, `compliance.${key}`),
    })),
  };
}

const responseTypes: Readonly<Record<WireResponseType, ResponseType | undefined>> = {
  [WireResponseType.OIDC_RESPONSE_TYPE_UNSPECIFIED]: undefined,
  [WireResponseType.OIDC_RESPONSE_TYPE_CODE]: "code",
  [WireResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN]: "id_token",
  [WireResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN]: "id_token token",
};
const wireResponseTypes = {
  code: WireResponseType.OIDC_RESPONSE_TYPE_CODE,
  id_token: WireResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN,
  "id_token token": WireResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN,
} as const satisfies Record<ResponseType, WireResponseType>;

const wireGrantTypes = {
  authorization_code: WireGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE,
  implicit: WireGrantType.OIDC_GRANT_TYPE_IMPLICIT,
  refresh_token: WireGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN,
  "urn:ietf:params:oauth:grant-type:device_code": WireGrantType.OIDC_GRANT_TYPE_DEVICE_CODE,
  "urn:ietf:params:oauth:grant-type:token-exchange": WireGrantType.OIDC_GRANT_TYPE_TOKEN_EXCHANGE,
} as const satisfies Record<GrantType, WireGrantType>;
const grantTypes = invert<GrantType, WireGrantType>(wireGrantTypes);

const wireApplicationTypes = {
  web: WireApplicationType.OIDC_APP_TYPE_WEB,
  user_agent: WireApplicationType.OIDC_APP_TYPE_USER_AGENT,
  native: WireApplicationType.OIDC_APP_TYPE_NATIVE,
} as const satisfies Record<OidcApplicationType, WireApplicationType>;
const applicationTypes = invert<OidcApplicationType, WireApplicationType>(wireApplicationTypes);

const wireAuthMethods = {
  client_secret_basic: WireAuthMethod.OIDC_AUTH_METHOD_TYPE_BASIC,
  client_secret_post: WireAuthMethod.OIDC_AUTH_METHOD_TYPE_POST,
  none: WireAuthMethod.OIDC_AUTH_METHOD_TYPE_NONE,
  private_key_jwt: WireAuthMethod.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
} as const satisfies Record<AuthMethod, WireAuthMethod>;
const authMethods = invert<AuthMethod, WireAuthMethod>(wireAuthMethods);

const wireTokenTypes = {
  opaque: WireTokenType.OIDC_TOKEN_TYPE_BEARER,
  jwt: WireTokenType.OIDC_TOKEN_TYPE_JWT,
} as const satisfies Record<OidcConfiguration["accessTokenFormat"], WireTokenType>;
const accessTokenFormats = invert<OidcConfiguration["accessTokenFormat"], WireTokenType>(wireTokenTypes);

const wireAssertionAudiences = {
  default: WireAssertionAudience.OIDC_ASSERTION_AUDIENCE_UNSPECIFIED,
  issuer: WireAssertionAudience.OIDC_ASSERTION_AUDIENCE_ISSUER,
  endpoints: WireAssertionAudience.OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS,
} as const satisfies Record<AssertionAudience, WireAssertionAudience>;
const assertionAudiences = invert<AssertionAudience, WireAssertionAudience>(wireAssertionAudiences);

const wireProfiles = {
  "": WireClientProfile.OIDC_CLIENT_PROFILE_UNSPECIFIED,
  fapi2: WireClientProfile.OIDC_CLIENT_PROFILE_FAPI2,
} as const satisfies Record<ClientProfile, WireClientProfile>;
const profiles = invert<ClientProfile, WireClientProfile>(wireProfiles);

function invert<Ours extends string, Wire extends number>(table: Readonly<Record<Ours, Wire>>): Record<Wire, Ours> {
  return Object.fromEntries(Object.entries(table).map(([ours, wire]) => [wire, ours])) as Record<Wire, Ours>;
}

function toIdTokenAlgorithm(name: string | undefined): IdTokenAlgorithm | undefined {
  return name === "" ? defaultOidcConfiguration.idTokenAlgorithm : toAlgorithm(name, "idTokenSignedResponseAlg");
}

const toUserinfoAlgorithm = (name: string | undefined): IdTokenAlgorithm | "" | undefined =>
  name === "" ? "" : toAlgorithm(name, "userinfoSignedResponseAlg");

function toAlgorithm(name: string | undefined, member: string): IdTokenAlgorithm | undefined {
  if (name === undefined) return undefined;
  const known = idTokenAlgorithms.find((algorithm) => algorithm === name);
  if (known !== undefined) return known;
  const field = `oidcConfiguration.${member}`;
  throw new Fault("invalid_argument", "application.id_token_algorithm_unknown", { field });
}

const toMilliseconds = ({ seconds, nanos }: WireDuration): number => Number(seconds) * 1000 + Math.round(nanos / 1e6);

const fromMilliseconds = (duration: number) => ({
  seconds: BigInt(Math.floor(duration / 1000)),
  nanos: (duration % 1000) * 1e6,
});

const given = <Value>(values: readonly Value[]): readonly Value[] | undefined =>
  values.length === 0 ? undefined : values;
