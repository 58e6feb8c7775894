import type { Secret } from "../../base/secret.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";

export interface GitLabProvider {
  /** The issuer of a self-hosted server; gitlab.com when absent. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
}

/** Creates a client of GitLab, hosted or self-hosted: an OpenID provider. */
export const createGitLabClient = (deps: ProviderClientDeps, provider: GitLabProvider): CodeFlowClient =>
  createOidcClient(deps, {
    ...provider,
    issuer: provider.issuer ?? "https://gitlab.com",
    usesIdTokenOnly: false,
  });
