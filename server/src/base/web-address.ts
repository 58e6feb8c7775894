const longest = 2048;

// RFC 3986 with an authority, in ASCII: no user information, backslash, white space or control character, so that every parser reads the same
// host, and nothing in it can end a header, a line or an attribute.
const grammar =
  /^https?:\/\/[a-z0-9._~:[\]-]+(?:[/?](?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

/**
 * The address of something on the web. Undefined for every text that two readers could read in two ways: other schemes, user information, odd
 * spellings of a host, what would have to be encoded.
 */
export function parseWebAddress(text: string): URL | undefined {
  if (text.length > longest || !grammar.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") {
    return undefined;
  }
  // A host in another spelling than the parser's (`0x7f.1`, `127.1`) is only written by somebody who hides it.
  const written = text.slice(text.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  const isSame = [url.host, `${url.host}:80`, `${url.host}:443`].includes(written.toLowerCase());
  return isSame ? url : undefined;
}
