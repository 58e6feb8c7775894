import { appleRules } from "./apple-provider.ts";
import { azureAdRules } from "./azure-ad-provider.ts";
import { githubEnterpriseRules } from "./github-enterprise-provider.ts";
import { githubRules } from "./github-provider.ts";
import { gitlabRules } from "./gitlab-provider.ts";
import { gitlabSelfHostedRules } from "./gitlab-self-hosted-provider.ts";
import { googleRules } from "./google-provider.ts";
import { jwtRules } from "./jwt-provider.ts";
import { ldapRules } from "./ldap-provider.ts";
import { oauthRules } from "./oauth-provider.ts";
import { oidcRules } from "./oidc-provider.ts";
import type { KindRules } from "./provider-kind.ts";
import { samlRules } from "./saml/saml-provider.ts";

/** Every kind of provider, by its name. */
const kinds = {
  oidc: oidcRules,
  oauth: oauthRules,
  jwt: jwtRules,
  google: googleRules,
  github: githubRules,
  github_es: githubEnterpriseRules,
  gitlab: gitlabRules,
  gitlab_self_hosted: gitlabSelfHostedRules,
  azure_ad: azureAdRules,
  ldap: ldapRules,
  apple: appleRules,
  saml: samlRules,
} as const;

export type ProviderKind = keyof typeof kinds;

/** The configuration of a provider of any kind, without secrets. */
export type ProviderConfiguration = Parameters<(typeof kinds)[ProviderKind]["addresses"]>[0];

// Does not compile when the name of a kind is not that of its configuration.
const rules: { readonly [Kind in ProviderKind]: KindRules<Extract<ProviderConfiguration, { kind: Kind }>> } = kinds;

/** Returns the protocol that a kind of provider speaks. */
export const protocolOf = (kind: ProviderKind): KindRules<ProviderConfiguration>["protocol"] => rules[kind].protocol;

/** Returns the rules of the kind of a configuration. */
export function rulesOf<Configuration extends ProviderConfiguration>(
  configuration: Configuration,
): KindRules<Configuration> {
  return rules[configuration.kind] as unknown as KindRules<Configuration>;
}

/** Returns the scopes to request from the provider: those of the configuration, otherwise those of its kind. */
export function requestedScopes(configuration: ProviderConfiguration): readonly string[] {
  const { scopes } = { scopes: [], ...configuration };
  return scopes.length > 0 ? scopes : (rulesOf(configuration).defaultScopes ?? []);
}
