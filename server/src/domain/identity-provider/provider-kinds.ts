import { type AzureAdConfiguration, azureAdRules } from "./azure-ad-provider.ts";
import { type GitHubEnterpriseConfiguration, githubEnterpriseRules } from "./github-enterprise-provider.ts";
import { type GitHubConfiguration, githubRules } from "./github-provider.ts";
import { type GitLabConfiguration, gitlabRules } from "./gitlab-provider.ts";
import { type GitLabSelfHostedConfiguration, gitlabSelfHostedRules } from "./gitlab-self-hosted-provider.ts";
import { type GoogleConfiguration, googleRules } from "./google-provider.ts";
import { type JwtConfiguration, jwtRules } from "./jwt-provider.ts";
import { type OAuthConfiguration, oauthRules } from "./oauth-provider.ts";
import { type OidcConfiguration, oidcRules } from "./oidc-provider.ts";
import type { KindRules } from "./provider-kind.ts";

/** The configuration of a provider of any kind, without secrets. */
export type ProviderConfiguration =
  | OidcConfiguration
  | OAuthConfiguration
  | JwtConfiguration
  | GoogleConfiguration
  | GitHubConfiguration
  | GitHubEnterpriseConfiguration
  | GitLabConfiguration
  | GitLabSelfHostedConfiguration
  | AzureAdConfiguration;

export type ProviderKind = ProviderConfiguration["kind"];

const kinds: { readonly [Kind in ProviderKind]: KindRules<Extract<ProviderConfiguration, { kind: Kind }>> } = {
  oidc: oidcRules,
  oauth: oauthRules,
  jwt: jwtRules,
  google: googleRules,
  github: githubRules,
  github_es: githubEnterpriseRules,
  gitlab: gitlabRules,
  gitlab_self_hosted: gitlabSelfHostedRules,
  azure_ad: azureAdRules,
};

/** Returns the rules of the kind of a configuration. */
export function rulesOf<Configuration extends ProviderConfiguration>(
  configuration: Configuration,
): KindRules<Configuration> {
  return kinds[configuration.kind] as unknown as KindRules<Configuration>;
}

/** Returns the scopes to request from the provider: those of the configuration, or else those of its kind. */
export function requestedScopes(configuration: ProviderConfiguration): readonly string[] {
  const { scopes } = { scopes: [], ...configuration };
  return scopes.length > 0 ? scopes : (rulesOf(configuration).defaultScopes ?? []);
}
