/** Encodes a part of a password hash: base64 without padding, as the PHC string format has it. */
export const encodeHashBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

/**
 * Decodes a part of a password hash; undefined for anything else than canonical base64. It has no padding (some systems
 * write it), and the modular crypt form writes `.` for `+`.
 */
export function decodeHashBase64(text: string): Buffer | undefined {
  const standard = text.replaceAll(".", "+").replace(/={1,2}$/, "");
  const bytes = Buffer.from(standard, "base64");
  return standard !== "" && encodeHashBase64(bytes) === standard ? bytes : undefined;
}
