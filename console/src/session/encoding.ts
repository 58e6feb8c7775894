/** Returns bytes as base64url without padding (RFC 4648 §5). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns the SHA-256 of a text, as base64url. */
export async function digest(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Returns a random value of 256 bits, as base64url. */
export const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
