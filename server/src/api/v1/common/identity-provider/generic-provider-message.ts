import type { MessageInitShape } from "@bufbuild/protobuf";
import { type IDPSchema, IDPStylingType, OIDCMappingField } from "@doorward/api/service/idp/v1/idp_pb";
import type { IdentityProvider, MappedClaim, ProviderStyling } from "../../../../domain/identity-provider/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { providerStates, toOwnerType } from "../../../v2/identity-provider/provider-message.ts";

/** The fields of every provider in the older methods. */
export interface CommonRequest {
  readonly name: string;
  readonly stylingType: IDPStylingType;
  readonly autoRegister: boolean;
}

/** The fields of an OpenID provider in the older methods. */
export interface OidcRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly displayNameMapping: OIDCMappingField;
  readonly usernameMapping: OIDCMappingField;
}

/** The fields of an issuer of JWTs in the older methods. */
export interface JwtRequest {
  readonly jwtEndpoint: string;
  readonly issuer: string;
  readonly keysEndpoint: string;
  readonly headerName: string;
}

const mappingFields = {
  unspecified: OIDCMappingField.OIDC_MAPPING_FIELD_UNSPECIFIED,
  preferred_username: OIDCMappingField.OIDC_MAPPING_FIELD_PREFERRED_USERNAME,
  email: OIDCMappingField.OIDC_MAPPING_FIELD_EMAIL,
} as const satisfies Record<MappedClaim, OIDCMappingField>;

const stylingTypes = {
  none: IDPStylingType.STYLING_TYPE_UNSPECIFIED,
  google: IDPStylingType.STYLING_TYPE_GOOGLE,
} as const satisfies Record<ProviderStyling, IDPStylingType>;

export const fromStyling = ({ stylingType }: CommonRequest): ProviderStyling =>
  stylingType === stylingTypes.google ? "google" : "none";

const fromMapping = (field: OIDCMappingField): MappedClaim =>
  (Object.keys(mappingFields) as MappedClaim[]).find((name) => mappingFields[name] === field) ?? "unspecified";

export const fromOidc = ({ issuer, clientId, scopes, displayNameMapping, usernameMapping }: OidcRequest) => ({
  kind: "oidc" as const,
  issuer,
  clientId,
  scopes,
  displayNameMapping: fromMapping(displayNameMapping),
  usernameMapping: fromMapping(usernameMapping),
});

export const fromJwt = ({ jwtEndpoint, issuer, keysEndpoint, headerName }: JwtRequest) => ({
  kind: "jwt" as const,
  jwtEndpoint,
  issuer,
  keysEndpoint,
  headerName,
});

/**
 * Converts a provider to the message of the older methods; the configuration of a kind that they do not know is
 * omitted.
 */
export function toGenericMessage(provider: IdentityProvider): MessageInitShape<typeof IDPSchema> {
  const { identityProviderId: id, name, state, options, configuration, details } = provider;
  const common = {
    id,
    name,
    details: toObjectDetails(details),
    state: providerStates[state],
    owner: toOwnerType(provider),
    autoRegister: options.isAutoCreation,
  };
  if (configuration.kind === "oidc") {
    const { clientId, issuer, scopes, displayNameMapping, usernameMapping, styling } = configuration;
    const mappings = {
      displayNameMapping: mappingFields[displayNameMapping],
      usernameMapping: mappingFields[usernameMapping],
    };
    const value = { clientId, issuer, scopes: [...scopes], ...mappings };
    return { ...common, stylingType: stylingTypes[styling], config: { case: "oidcConfig", value } };
  }
  if (configuration.kind === "jwt") {
    const { jwtEndpoint, issuer, keysEndpoint, headerName, audience, styling } = configuration;
    const value = { jwtEndpoint, issuer, keysEndpoint, headerName, audience };
    return { ...common, stylingType: stylingTypes[styling], config: { case: "jwtConfig", value } };
  }
  return common;
}
