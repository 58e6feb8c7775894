import type { KindRules } from "./provider-kind.ts";

/** A GitHub Enterprise Server, with its own endpoints. */
export interface GitHubEnterpriseConfiguration {
  readonly kind: "github_es";
  readonly clientId: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly scopes: readonly string[];
}

export const githubEnterpriseRules: KindRules<GitHubEnterpriseConfiguration> = {
  fields: {
    clientId: "speaker",
    authorizationEndpoint: "speaker",
    tokenEndpoint: "speaker",
    userEndpoint: "speaker",
    scopes: "manner",
  },
  protocol: "oauth",
  addresses: ({ authorizationEndpoint, tokenEndpoint, userEndpoint }) => ({
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
  }),
  secretDestination: ({ tokenEndpoint }) => tokenEndpoint,
  defaultScopes: ["read:user", "user:email"],
};
