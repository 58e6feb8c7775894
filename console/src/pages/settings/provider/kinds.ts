import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";

interface Kind {
  /** What the kind is called, in every language. */
  readonly name: string;
  readonly type: ProviderType;
  /** Its methods of version 1; the build keeps those whose names are written out. */
  readonly add: string;
  readonly update: string;
  /** What its button usually says. */
  readonly button?: string;
}

// In the order in which they are offered, by the member of the configuration that has it.
const all = {
  google: {
    name: "Google",
    type: ProviderType.GOOGLE,
    add: "addGoogleProvider",
    update: "updateGoogleProvider",
    button: "Google",
  },
  azureAd: {
    name: "Microsoft Entra ID",
    type: ProviderType.AZURE_AD,
    add: "addAzureADProvider",
    update: "updateAzureADProvider",
    button: "Microsoft",
  },
  apple: {
    name: "Apple",
    type: ProviderType.APPLE,
    add: "addAppleProvider",
    update: "updateAppleProvider",
    button: "Apple",
  },
  github: {
    name: "GitHub",
    type: ProviderType.GITHUB,
    add: "addGitHubProvider",
    update: "updateGitHubProvider",
    button: "GitHub",
  },
  githubEs: {
    name: "GitHub Enterprise Server",
    type: ProviderType.GITHUB_ES,
    add: "addGitHubEnterpriseServerProvider",
    update: "updateGitHubEnterpriseServerProvider",
  },
  gitlab: {
    name: "GitLab",
    type: ProviderType.GITLAB,
    add: "addGitLabProvider",
    update: "updateGitLabProvider",
    button: "GitLab",
  },
  gitlabSelfHosted: {
    name: "GitLab (self-managed)",
    type: ProviderType.GITLAB_SELF_HOSTED,
    add: "addGitLabSelfHostedProvider",
    update: "updateGitLabSelfHostedProvider",
  },
  oidc: {
    name: "OpenID Connect",
    type: ProviderType.OIDC,
    add: "addGenericOIDCProvider",
    update: "updateGenericOIDCProvider",
  },
  saml: { name: "SAML 2.0", type: ProviderType.SAML, add: "addSAMLProvider", update: "updateSAMLProvider" },
  ldap: { name: "LDAP", type: ProviderType.LDAP, add: "addLDAPProvider", update: "updateLDAPProvider" },
  oauth: {
    name: "OAuth 2.0",
    type: ProviderType.OAUTH,
    add: "addGenericOAuthProvider",
    update: "updateGenericOAuthProvider",
  },
  jwt: { name: "JWT", type: ProviderType.JWT, add: "addJWTProvider", update: "updateJWTProvider" },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProviderKind = keyof typeof all;

export const kinds: Readonly<Record<ProviderKind, Kind>> = all;

export const kindNames = Object.keys(kinds) as readonly ProviderKind[];

/** Returns the kind that a part of an address names. */
export const kindNamed = (name: string | undefined): ProviderKind | undefined =>
  kindNames.find((kind) => kind === name);

/** Returns the name of a kind, which is the same in every language. */
export const kindName = (type: ProviderType): string =>
  kindNames.flatMap((kind) => (kinds[kind].type === type ? [kinds[kind].name] : []))[0] ?? "";
