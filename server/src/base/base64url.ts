const alphabet = /^[A-Za-z0-9_-]*$/;
// Characters whose low 4 bits (after 2 characters) or low 2 bits (after 3) are zero: the only valid last characters.
const endOfOneByte = /[AQgw]$/;
const endOfTwoBytes = /[AEIMQUYcgkosw048]$/;

/**
 * Whether the text is base64url without padding, in its one canonical spelling (RFC 4648 §5 and §3.5). Node's decoder
 * skips characters outside the alphabet and drops spare bits, so many texts would name the same bytes. All external
 * input is checked here first.
 */
export function isBase64Url(text: string): boolean {
  if (!alphabet.test(text)) return false;
  switch (text.length % 4) {
    case 0:
      return true;
    case 2:
      return endOfOneByte.test(text);
    case 3:
      return endOfTwoBytes.test(text);
    default:
      return false;
  }
}

/** Returns the bytes of a canonical base64url text, or undefined for any other text. */
export function decodeBase64Url(text: string): Buffer | undefined {
  return isBase64Url(text) ? Buffer.from(text, "base64url") : undefined;
}

/** Encodes as base64url without padding. */
export const encodeBase64Url = (bytes: Buffer | string): string =>
  (typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes).toString("base64url");
