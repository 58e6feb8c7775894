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
 * Creates a client of Google. A foreign address was verified when the account was created, and may have passed to
 * another person since. Google vouches only for its own addresses and for those of domains that it hosts, which it
 * names in `hd`.
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
