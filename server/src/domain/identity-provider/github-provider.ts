import type { KindRules } from "./provider-kind.ts";

/** GitHub itself, with well-known endpoints. */
export interface GitHubConfiguration {
  readonly kind: "github";
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const githubRules: KindRules<GitHubConfiguration> = {
  fields: {
    clientId: "speaker",
    scopes: "manner",
  },
  protocol: "oauth",
  speaksAs: ({ clientId }) => ({ server: "https://github.com", clientId }),
  addresses: () => ({}),
  secretDestination: () => "github",
  defaultScopes: ["read:user", "user:email"],
  defaultName: "GitHub",
};
