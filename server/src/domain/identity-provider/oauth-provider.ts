import { hasInvisible } from "../../base/names/canonical.ts";
import type { KindRules } from "./provider-kind.ts";

/** An OAuth 2.0 server with an endpoint that describes, as JSON, the user of an access token. */
export interface OAuthConfiguration {
  readonly kind: "oauth";
  readonly clientId: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly scopes: readonly string[];
  /** The member of the user endpoint's response that never changes for a user. */
  readonly idAttribute: string;
  readonly usePkce: boolean;
}

export const oauthRules: KindRules<OAuthConfiguration> = {
  fields: {
    clientId: "speaker",
    authorizationEndpoint: "speaker",
    tokenEndpoint: "speaker",
    userEndpoint: "speaker",
    idAttribute: "speaker",
    scopes: "manner",
    usePkce: "manner",
  },
  protocol: "oauth",
  addresses: ({ authorizationEndpoint, tokenEndpoint, userEndpoint }) => ({
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
  }),
  unfit: ({ idAttribute }) => (hasInvisible(idAttribute) ? ["idAttribute"] : []),
  secretDestination: ({ tokenEndpoint }) => tokenEndpoint,
  defaultScopes: [],
};
