import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";

/** Kinds of providers that the console adds. The others are added by the API. */
export type ProviderKind = "oidc" | "google" | "github" | "gitlab" | "microsoft" | "saml";

/** The kinds in the order of the form, by their own names. */
export const kinds: readonly (readonly [kind: ProviderKind, name: string])[] = [
  ["oidc", "OpenID Connect"],
  ["google", "Google"],
  ["microsoft", "Microsoft"],
  ["github", "GitHub"],
  ["gitlab", "GitLab"],
  ["saml", "SAML"],
];

const names: Readonly<Record<number, string>> = {
  [ProviderType.OIDC]: "OpenID Connect",
  [ProviderType.JWT]: "JWT",
  [ProviderType.LDAP]: "LDAP",
  [ProviderType.OAUTH]: "OAuth 2.0",
  [ProviderType.AZURE_AD]: "Microsoft",
  [ProviderType.GITHUB]: "GitHub",
  [ProviderType.GITHUB_ES]: "GitHub Enterprise Server",
  [ProviderType.GITLAB]: "GitLab",
  [ProviderType.GITLAB_SELF_HOSTED]: "GitLab (self-managed)",
  [ProviderType.GOOGLE]: "Google",
  [ProviderType.APPLE]: "Apple",
  [ProviderType.SAML]: "SAML",
};

/** Returns the name of a kind, which is the same in every language. */
export const kindName = (type: ProviderType): string => names[type] ?? "";
