// RFC 2045 §6.8: lines may be broken.
const lineBreaks = /[\t\n\r ]+/g;
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the bytes of a base64 text, which may be broken into lines; undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replaceAll(lineBreaks, "");
  return packed === "" || packed.length % 4 !== 0 || !alphabet.test(packed) ? undefined : Buffer.from(packed, "base64");
}

export const encodeBase64 = (bytes: Buffer | string): string =>
  (typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes).toString("base64");
