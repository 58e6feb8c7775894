import type { Secret } from "../../base/secret.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";

export interface GitLabProvider {
  /** Of a server of one's own; gitlab.com when not given. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
}

/** GitLab, also a server of one's own: an OpenID provider. */
export const createGitLabClient = (deps: ProviderClientDeps, provider: GitLabProvider): CodeFlowClient =>
  createOidcClient(deps, {
    ...provider,
    issuer: provider.issuer ?? "https://gitlab.com",
    usesIdTokenOnly: false,
  });
