import type { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import {
  type ConfigurationOf,
  type IdentityProvider,
  openProviderSecret,
  type ProviderKind,
  requestedScopes,
} from "../identity-provider/index.ts";
import { createAppleClient } from "./apple.ts";
import { createAzureAdClient } from "./azure-ad.ts";
import { createGitHubClient } from "./github.ts";
import { createGitLabClient } from "./gitlab.ts";
import { createGoogleClient } from "./google.ts";
import { createJwtClient } from "./jwt.ts";
import { createLdapClient } from "./ldap.ts";
import { createOAuthClient } from "./oauth.ts";
import { createOidcClient } from "./oidc.ts";
import type { ProviderClient, ProviderClientDeps } from "./provider-client.ts";
import { createSamlClient } from "./saml.ts";
import { samlAddressesOf } from "./saml-addresses.ts";

export interface CreateProviderClientDeps extends ProviderClientDeps {
  readonly vault: Pick<Vault, "decrypt">;
}

/** What the client of every kind needs besides its configuration. */
interface Common {
  /** The secret that is stored with the configuration. */
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** The public origin of our instance. */
  readonly origin: string;
  readonly identityProviderId: string;
  /** Identifies the provider in the process. */
  readonly payer: string;
}

type CreateClient<Kind extends ProviderKind> = (
  deps: ProviderClientDeps,
  configuration: ConfigurationOf<Kind>,
  common: Common,
) => ProviderClient;

/** How the client of each kind is created. */
const creators: { readonly [Kind in ProviderKind]: CreateClient<Kind> } = {
  oidc: (deps, { issuer, clientId, isIdTokenMapping }, { clientSecret, scopes }) =>
    createOidcClient(deps, { clientSecret, scopes, issuer, clientId, usesIdTokenOnly: isIdTokenMapping }),
  oauth: (deps, configuration, { clientSecret, scopes }) =>
    createOAuthClient(deps, {
      ...configuration,
      clientSecret,
      scopes,
      hasPkce: configuration.usePkce,
      authentication: "either",
    }),
  jwt: (deps, configuration, { origin }) =>
    createJwtClient(deps, { ...configuration, audience: configuration.audience || origin }),
  google: (deps, { clientId }, { clientSecret, scopes }) =>
    createGoogleClient(deps, { clientSecret, scopes, clientId }),
  github: (deps, { clientId }, { clientSecret, scopes }) =>
    createGitHubClient(deps, { clientSecret, scopes, clientId }),
  github_es: (deps, configuration, { clientSecret, scopes }) =>
    createGitHubClient(deps, { clientSecret, scopes, clientId: configuration.clientId, endpoints: configuration }),
  gitlab: (deps, { clientId }, { clientSecret, scopes }) =>
    createGitLabClient(deps, { clientSecret, scopes, clientId }),
  gitlab_self_hosted: (deps, { issuer, clientId }, { clientSecret, scopes }) =>
    createGitLabClient(deps, { clientSecret, scopes, clientId, issuer }),
  azure_ad: (deps, configuration, { clientSecret, scopes }) =>
    createAzureAdClient(deps, { ...configuration, clientSecret, scopes }),
  apple: (deps, configuration, { clientSecret: privateKey, scopes }) =>
    createAppleClient(deps, { ...configuration, privateKey, scopes }),
  ldap: (deps, configuration, { clientSecret: bindPassword, origin, payer }) =>
    createLdapClient(deps, { configuration, bindPassword, origin, payer }),
  saml: (deps, configuration, { clientSecret: key, origin, identityProviderId }) => {
    if (key === undefined) throw new Error("a SAML provider without a key");
    return createSamlClient(deps, { configuration, key, addresses: samlAddressesOf(origin, identityProviderId) });
  },
};

/**
 * Creates the client of a provider, by its kind. `origin` is the public origin of our instance: the default audience of
 * tokens.
 */
export function createProviderClient(
  deps: CreateProviderClientDeps,
  provider: IdentityProvider,
  origin: string,
): ProviderClient {
  const { configuration, identityProviderId } = provider;
  const clientSecret = openProviderSecret(deps.vault, provider);
  // The type of the table says that each creator takes the configurations of its own kind.
  const create = creators[configuration.kind] as CreateClient<ProviderKind>;
  const payer = `${provider.instanceId}/${identityProviderId}`;
  const scopes = requestedScopes(configuration);
  return create(deps, configuration, { clientSecret, scopes, origin, identityProviderId, payer });
}
