import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** GitLab itself, with a well-known issuer. */
export interface GitLabConfiguration {
  readonly kind: "gitlab";
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const gitlabRules: KindRules<GitLabConfiguration> = {
  fields: {
    clientId: "speaker",
    scopes: "manner",
  },
  protocol: "openid",
  speaksAs: ({ clientId }) => ({ issuer: "https://gitlab.com", clientId }),
  addresses: () => ({}),
  secretDestination: () => "gitlab",
  defaultScopes: openIdScopes,
  defaultName: "GitLab",
};
