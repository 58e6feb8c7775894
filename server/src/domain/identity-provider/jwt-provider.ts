import { hasInvisible } from "../../base/canonical.ts";
import type { ProviderStyling } from "./oidc-provider.ts";
import type { KindRules } from "./provider-kind.ts";

/** Something in front of us that puts a signed JWT about the person into a header of the request. */
export interface JwtConfiguration {
  readonly kind: "jwt";
  /** Where browsers are sent, to come back with the header. */
  readonly jwtEndpoint: string;
  /** `iss` of the tokens; compared, never asked. */
  readonly issuer: string;
  /** Key set that the tokens are verified with. */
  readonly keysEndpoint: string;
  readonly headerName: string;
  /** `aud` that the tokens must name. Empty when the configuration says none; then it is our own issuer. */
  readonly audience: string;
  readonly styling: ProviderStyling;
}

// RFC 9110 §5.6.2: a field name is a token.
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const jwtRules: KindRules<JwtConfiguration> = {
  addresses: ({ jwtEndpoint, keysEndpoint }) => ({ jwtEndpoint, keysEndpoint }),
  unfit: ({ issuer, audience, headerName }) => [
    ...(hasInvisible(issuer) ? ["issuer"] : []),
    ...(hasInvisible(audience) ? ["audience"] : []),
    ...(fieldName.test(headerName) ? [] : ["headerName"]),
  ],
  secretPlace: () => undefined,
};
