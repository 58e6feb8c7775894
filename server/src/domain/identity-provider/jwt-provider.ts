import { hasInvisible } from "../../base/names/canonical.ts";
import type { ProviderStyling } from "./oidc-provider.ts";
import type { KindRules } from "./provider-kind.ts";

/** A proxy in front of us that adds a signed JWT about the user to a header of the request. */
export interface JwtConfiguration {
  readonly kind: "jwt";
  /** Where browsers are sent; they return with the header. */
  readonly jwtEndpoint: string;
  /** `iss` of the tokens; only compared, never requested. */
  readonly issuer: string;
  /** Key set with which the tokens are verified. */
  readonly keysEndpoint: string;
  readonly headerName: string;
  /** `aud` that the tokens must name. Empty when it is not configured; then it is our own issuer. */
  readonly audience: string;
  readonly styling: ProviderStyling;
}

// RFC 9110 §5.6.2: a field name is a token.
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const jwtRules: KindRules<JwtConfiguration> = {
  fields: {
    jwtEndpoint: "speaker",
    issuer: "speaker",
    keysEndpoint: "speaker",
    headerName: "speaker",
    audience: "speaker",
    styling: "manner",
  },
  protocol: "jwt",
  addresses: ({ jwtEndpoint, keysEndpoint }) => ({ jwtEndpoint, keysEndpoint }),
  unfit: ({ issuer, audience, headerName }) => [
    ...(hasInvisible(issuer) ? ["issuer"] : []),
    ...(hasInvisible(audience) ? ["audience"] : []),
    ...(fieldName.test(headerName) ? [] : ["headerName"]),
  ],
  secretDestination: () => undefined,
};
