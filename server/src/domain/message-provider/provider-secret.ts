import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import { parseMailHost } from "../../base/smtp/index.ts";
import type { Vault } from "../../base/vault.ts";
import { type MessageProvider, type ProviderConfiguration, secretContext } from "./message-provider.ts";

/**
 * Decrypts the secret of a provider; undefined when it has none. Throws VaultError when the row was altered or its
 * master key is missing.
 */
export function openProviderSecret(
  vault: Pick<Vault, "decrypt">,
  instanceId: string,
  { providerId, sealedSecret }: Pick<MessageProvider, "providerId" | "sealedSecret">,
): Secret | undefined {
  return sealedSecret === null ? undefined : vault.decrypt(sealedSecret, secretContext(instanceId, providerId));
}

/** Encrypts the secret for storage. */
export function sealProviderSecret(
  vault: Pick<Vault, "encrypt">,
  instanceId: string,
  providerId: string,
  secret: Secret,
): string {
  return vault.encrypt(secret, secretContext(instanceId, providerId));
}

/** The purpose of a provider's secret. */
export interface SecretPurpose {
  /** Identifies where the secret is sent, for comparison. */
  readonly of: string;
  readonly field: string;
  /** Whether the secret is required for sending and cannot be set later by a method of its own. */
  readonly isNeeded: boolean;
}

/**
 * Returns the purpose of a provider's secret; undefined when it needs none. A secret is never shown, so a caller with
 * write permission must not be able to redirect it. A password belongs to its server, a client secret to its token
 * endpoint and the server that gets the token, a token to its account. A server is host, port and TLS: another port may
 * be another user's, and a secret that was stored for TLS is not sent in the clear.
 */
export function secretPurpose(configuration: ProviderConfiguration): SecretPurpose | undefined {
  switch (configuration.kind) {
    case "smtp": {
      const { authentication, host, tls } = configuration;
      if (authentication.kind === "none") return undefined;
      const at = parseMailHost(host);
      const server = `${at?.host} ${at?.port} ${tls}`;
      if (authentication.kind === "plain") return { of: `password ${server}`, field: "password", isNeeded: false };
      const field = "xoauth2.clientCredentials.clientSecret";
      return { of: `client secret ${server} ${authentication.tokenEndpoint}`, field, isNeeded: true };
    }
    case "twilio":
      return { of: "token", field: "token", isNeeded: false };
    case "http":
      return { of: "signing key", field: "signingKey", isNeeded: false };
    default:
      return configuration satisfies never;
  }
}

export const secretRequired = ({ field }: SecretPurpose): Fault =>
  new Fault("invalid_argument", "message_provider.secret_required", { field });
