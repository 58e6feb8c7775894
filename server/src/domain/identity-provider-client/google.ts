import type { Secret } from "../../base/secret.ts";
import type { ExternalIdentity } from "./external-identity.ts";
import { createOidcClient } from "./oidc.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";

export interface GoogleProvider {
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
}

/**
 * Google. An address of somebody else's mail was proven when the account was made, and may have changed hands since: Google speaks only for its own
 * and for those of the domains that it hosts, which it names by `hd`.
 */
export const createGoogleClient = (deps: ProviderClientDeps, provider: GoogleProvider): CodeFlowClient =>
  createOidcClient(deps, {
    ...provider,
    issuer: "https://accounts.google.com",
    usesIdTokenOnly: false,
    adjust: trustHostedEmail,
  });

const trustHostedEmail = (identity: ExternalIdentity): ExternalIdentity => ({
  ...identity,
  isEmailVerified: identity.isEmailVerified && (isGoogleMail(identity.email) || isHosted(identity.raw["hd"])),
});

const isGoogleMail = (address = ""): boolean => /@(?:gmail|googlemail)\.com$/i.test(address);

const isHosted = (domain: unknown): boolean => typeof domain === "string" && domain !== "";
