// Written out: the console reads files with these sources as well, and a browser has no Buffer.

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes bytes as base64 (RFC 4648 §4), with padding. */
function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(index, index + 3);
    const group = (first << 16) | (second << 8) | third;
    for (const shift of [18, 12, 6, 0]) text += digits.charAt((group >> shift) & 63);
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return missing === 0 ? text : text.slice(0, -missing) + "=".repeat(missing);
}

/** Encodes a text as base64 of its UTF-8. */
export const encodeTextBase64 = (text: string): string => encodeBase64(new TextEncoder().encode(text));

/** Encodes a part of a password hash: base64 without padding, as the PHC string format has it. */
export const encodeHashBase64 = (bytes: Uint8Array): string => encodeBase64(bytes).replace(/=+$/, "");

/**
 * Decodes standard and URL-safe base64, and that of the modular crypt form, which writes `.` for `+`. Undefined for
 * anything else than the canonical spelling, with or without padding.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const standard = text
    .replace(/[.-]/g, "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(standard)) return undefined;
  const bytes = new Uint8Array(Math.floor((standard.length * 3) / 4));
  let pending = 0;
  let bits = 0;
  let at = 0;
  for (const digit of standard) {
    pending = (pending << 6) | digits.indexOf(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = pending >> bits;
    pending &= (1 << bits) - 1;
  }
  // What is left over is less than a digit, and zero.
  return bits < 6 && pending === 0 ? bytes : undefined;
}
