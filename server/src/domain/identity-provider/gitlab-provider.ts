import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** GitLab itself: where it is, is known. */
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
