import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** A claim that fills a field of a user, as the older methods name it. The newer ones leave it `unspecified`. */
export type MappedClaim = "unspecified" | "preferred_username" | "email";

/** How the button of a provider looks, as the older methods name it. */
export type ProviderStyling = "none" | "google";

/** An OpenID provider. Its endpoints are in its discovery document. */
export interface OidcConfiguration {
  readonly kind: "oidc";
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Whether the user is read from the id token instead of the userinfo endpoint. */
  readonly isIdTokenMapping: boolean;
  readonly usePkce: boolean;
  readonly displayNameMapping: MappedClaim;
  readonly usernameMapping: MappedClaim;
  readonly styling: ProviderStyling;
}

export const oidcRules: KindRules<OidcConfiguration> = {
  fields: {
    issuer: "speaker",
    clientId: "speaker",
    scopes: "manner",
    isIdTokenMapping: "manner",
    usePkce: "manner",
    displayNameMapping: "manner",
    usernameMapping: "manner",
    styling: "manner",
  },
  protocol: "openid",
  addresses: ({ issuer }) => ({ issuer }),
  unfit: ({ issuer }) => unfitIssuer(issuer),
  secretDestination: ({ issuer }) => issuer,
  defaultScopes: openIdScopes,
};

/** OpenID Connect Discovery 1.0 §2: an issuer has neither query nor fragment (targets have no fragment anyway). */
export const unfitIssuer = (issuer: string): readonly string[] => (issuer.includes("?") ? ["issuer"] : []);
