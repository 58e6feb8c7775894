import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import { type IdentityProvider, openProviderSecret, requestedScopes } from "../identity-provider/index.ts";
import { createAzureAdClient } from "./azure-ad.ts";
import { createGitHubClient } from "./github.ts";
import { createGitLabClient } from "./gitlab.ts";
import { createGoogleClient } from "./google.ts";
import { createJwtClient } from "./jwt.ts";
import { createOAuthClient } from "./oauth.ts";
import { createOidcClient } from "./oidc.ts";
import type { ProviderClient, ProviderClientDeps } from "./provider-client.ts";

export interface CreateProviderClientDeps extends ProviderClientDeps {
  readonly vault: Pick<Vault, "decrypt">;
}

/**
 * Creates the client of a provider, by its kind. `origin` is the public origin of our instance: the default audience of
 * tokens.
 */
export function createProviderClient(
  deps: CreateProviderClientDeps,
  provider: IdentityProvider,
  origin: string,
): ProviderClient {
  const { configuration } = provider;
  const clientSecret: Secret | undefined = openProviderSecret(deps.vault, provider);
  const common = { clientSecret, scopes: requestedScopes(configuration) };
  switch (configuration.kind) {
    case "oidc": {
      const { issuer, clientId, isIdTokenMapping } = configuration;
      return createOidcClient(deps, { ...common, issuer, clientId, usesIdTokenOnly: isIdTokenMapping });
    }
    case "google":
      return createGoogleClient(deps, { ...common, clientId: configuration.clientId });
    case "gitlab":
      return createGitLabClient(deps, { ...common, clientId: configuration.clientId });
    case "gitlab_self_hosted": {
      const { issuer, clientId } = configuration;
      return createGitLabClient(deps, { ...common, clientId, issuer });
    }
    case "azure_ad":
      return createAzureAdClient(deps, { ...configuration, ...common });
    case "oauth":
      return createOAuthClient(deps, {
        ...configuration,
        ...common,
        hasPkce: configuration.usePkce,
        authentication: "either",
      });
    case "github":
      return createGitHubClient(deps, { ...common, clientId: configuration.clientId });
    case "github_es":
      return createGitHubClient(deps, { ...common, clientId: configuration.clientId, endpoints: configuration });
    case "jwt":
      return createJwtClient(deps, { ...configuration, audience: configuration.audience || origin });
    default:
      return configuration satisfies never;
  }
}
