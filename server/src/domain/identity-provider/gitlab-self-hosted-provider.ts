import { unfitIssuer } from "./oidc-provider.ts";
import { type KindRules, openIdScopes } from "./provider-kind.ts";

/** A self-hosted GitLab; an OpenID provider. */
export interface GitLabSelfHostedConfiguration {
  readonly kind: "gitlab_self_hosted";
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export const gitlabSelfHostedRules: KindRules<GitLabSelfHostedConfiguration> = {
  fields: {
    issuer: "speaker",
    clientId: "speaker",
    scopes: "manner",
  },
  protocol: "openid",
  addresses: ({ issuer }) => ({ issuer }),
  unfit: ({ issuer }) => unfitIssuer(issuer),
  secretDestination: ({ issuer }) => issuer,
  defaultScopes: openIdScopes,
};
