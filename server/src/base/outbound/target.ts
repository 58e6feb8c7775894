const longest = 2048;

// RFC 3986 with an authority, in ASCII: no user information, fragment, backslash, white space or control character, so that every parser
// reads the same host.
const grammar = /^https?:\/\/[a-z0-9._~:[\]-]+(?:[/?](?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

/**
 * The target of a request to another server. Undefined for every text that is none: other schemes, user information, fragments, odd spellings.
 * Says nothing about its address, which is looked at when we connect.
 */
export function parseTarget(text: string): URL | undefined {
  if (text.length > longest || !grammar.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") {
    return undefined;
  }
  // A host in another spelling than the parser's (`0x7f.1`, `127.1`) is only written by somebody who hides it.
  const written = text.slice(text.indexOf("//") + 2).split(/[/?]/, 1)[0] ?? "";
  const isSame = [url.host, `${url.host}:80`, `${url.host}:443`].includes(written.toLowerCase());
  return isSame ? url : undefined;
}
