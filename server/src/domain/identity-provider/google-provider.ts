import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** Google itself, with a well-known issuer. */
export interface GoogleConfiguration {
  readonly kind: "google";
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const googleRules: KindRules<GoogleConfiguration> = {
  fields: {
    clientId: "speaker",
    scopes: "manner",
  },
  protocol: "openid",
  speaksAs: ({ clientId }) => ({ issuer: "https://accounts.google.com", clientId }),
  addresses: () => ({}),
  secretDestination: () => "google",
  defaultScopes: openIdScopes,
  defaultName: "Google",
};
