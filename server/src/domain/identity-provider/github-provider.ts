import type { KindRules } from "./provider-kind.ts";

/** GitHub itself, with well-known endpoints. */
export interface GitHubConfiguration {
  readonly kind: "github";
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const githubRules: KindRules<GitHubConfiguration> = {
  addresses: () => ({}),
  secretPlace: () => "github",
  defaultScopes: ["read:user", "user:email"],
  defaultName: "GitHub",
};
