import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** GitLab itself, with a well-known issuer. */
export interface GitLabConfiguration {
  readonly kind: "gitlab";
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const gitlabRules: KindRules<GitLabConfiguration> = {
  addresses: () => ({}),
  secretPlace: () => "gitlab",
  defaultScopes: openIdScopes,
  defaultName: "GitLab",
};
