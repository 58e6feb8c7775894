const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes base32 without padding (RFC 4648 §6), the form in which authenticator apps take secrets. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((pending >>> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet.charAt((pending << (5 - bits)) & 31);
}

/** Decodes base32 as people copy it: with or without spaces, padding and capitals. Undefined when it is invalid. */
export function decodeBase32(text: string): Buffer | undefined {
  const digits = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  const bytes: number[] = [];
  let pending = 0;
  let bits = 0;
  for (const digit of digits) {
    const value = alphabet.indexOf(digit);
    if (value < 0) return undefined;
    pending = ((pending << 5) | value) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >>> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
