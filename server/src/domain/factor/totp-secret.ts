import { encodeBase32 } from "../../base/base32.ts";
import type { Random } from "../../base/random.ts";
import { Secret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";

// RFC 4226 §4: 160 bits.
const size = 20;

const context = (instanceId: string, userId: string): string => `user_factors/${instanceId}/${userId}/totp`;

/** Generates a secret for an authenticator app, and its encrypted form for storage. */
export function generateTotpSecret(
  deps: { readonly random: Random; readonly vault: Pick<Vault, "encrypt"> },
  owner: { readonly instanceId: string; readonly userId: string },
): { readonly secret: Secret; readonly sealed: string } {
  const bytes = deps.random(size);
  return { secret: new Secret(encodeBase32(bytes)), sealed: sealTotpSecret(deps.vault, owner, bytes) };
}

/** Encrypts the secret of an authenticator app for storage. */
export const sealTotpSecret = (
  vault: Pick<Vault, "encrypt">,
  { instanceId, userId }: { readonly instanceId: string; readonly userId: string },
  bytes: Buffer,
): string => vault.encrypt(bytes.toString("base64url"), context(instanceId, userId));

/**
 * Decrypts the secret from which codes are derived. Throws VaultError when the row was altered or its master key is
 * missing.
 */
export function openTotpSecret(
  vault: Pick<Vault, "decrypt">,
  owner: { readonly instanceId: string; readonly userId: string },
  sealed: string,
): Buffer {
  return Buffer.from(vault.decrypt(sealed, context(owner.instanceId, owner.userId)).reveal(), "base64url");
}

// In characters. A QR code has room for 2,331 bytes, of which each character takes up to twelve, and the name is there
// twice.
const longestIssuer = 40;

/**
 * Returns the URI that an authenticator app reads from a QR code. Apps show the issuer, a name for people, above the
 * codes; a colon would end it.
 */
export function totpUri(secret: Secret, { issuer: name, loginName }: { issuer: string; loginName: string }): Secret {
  const issuer = [...name.replaceAll(":", " ")].slice(0, longestIssuer).join("").trim();
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(loginName)}`;
  // Apps take `%20` and not `+` for a space, so the parameters are not written by URLSearchParams.
  const parameters = { secret: secret.reveal(), issuer, algorithm: "SHA1", digits: "6", period: "30" };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return new Secret(`otpauth://totp/${label}?${query.join("&")}`);
}
