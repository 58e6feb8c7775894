import type { Secret } from "../../base/secret.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";

export interface GoogleProvider {
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
}

/** Google: an OpenID provider without surprises. */
export const createGoogleClient = (deps: ProviderClientDeps, provider: GoogleProvider): CodeFlowClient =>
  createOidcClient(deps, {
    ...provider,
    issuer: "https://accounts.google.com",
    usesIdTokenOnly: false,
  });
