import { createPublicKey, type KeyObject } from "node:crypto";

/**
 * Encrypts a signed token for a recipient's public key (RFC 7519 §11.2 in the compact form of RFC 7516): RSA-OAEP-256
 * or ECDH-ES+A256KW, content by A256GCM. `kid` tells the recipient which key to use.
 */
export async function encryptToken(
  token: string,
  key: { readonly keyId: string; readonly publicKey: string },
): Promise<string> {
  // Loaded on first use: most servers never encrypt a token.
  const { CompactEncrypt } = await import("jose");
  const publicKey = createPublicKey(key.publicKey);
  return new CompactEncrypt(Buffer.from(token, "utf8"))
    .setProtectedHeader({ alg: algorithmFor(publicKey), enc: "A256GCM", cty: "JWT", kid: key.keyId })
    .encrypt(publicKey);
}

const algorithmFor = ({ asymmetricKeyType }: KeyObject): string =>
  asymmetricKeyType === "rsa" ? "RSA-OAEP-256" : "ECDH-ES+A256KW";
