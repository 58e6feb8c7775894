const longest = 2048;

// RFC 3986 with an authority, in ASCII: no user information, backslash, white space or control character. So every
// parser reads the same host, and the text cannot end a header, a line or an attribute.
const grammar =
  /^https?:\/\/[a-z0-9._~:[\]-]+(?:[/?](?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

/**
 * Parses a web address. Returns undefined for any text that two parsers could read differently: other schemes, user
 * information, odd spellings of a host, characters that need encoding.
 */
export function parseWebAddress(text: string): URL | undefined {
  if (text.length > longest || !grammar.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") {
    return undefined;
  }
  // A host in another spelling than the parser's (`0x7f.1`, `127.1`) is only used to disguise it.
  const written = text.slice(text.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  const isSame = [url.host, `${url.host}:80`, `${url.host}:443`].includes(written.toLowerCase());
  return isSame ? url : undefined;
}

/** Whether a text is a mailto link that all readers take for the same (RFC 6068 §2, as far as they agree on it). */
export const isMailtoLink = (text: string): boolean => /^mailto:[a-z0-9.!#$%&'*+/=?_~@,;:-]{1,2000}$/i.test(text);

/**
 * Returns a web address whose scheme may be missing (`localhost:8080`) with one: http on this machine, https elsewhere.
 * Undefined for any other text.
 */
export function completeWebAddress(text: string): string | undefined {
  if (parseWebAddress(text) !== undefined) return text;
  if (text.includes("://") || !/^[^/?#]*[.:][^/?#]/.test(text)) return undefined;
  const hostname = parseWebAddress(`https://${text}`)?.hostname;
  if (hostname === undefined) return undefined;
  return `${["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? "http" : "https"}://${text}`;
}
