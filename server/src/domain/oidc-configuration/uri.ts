import { isLoopbackHost } from "../../base/outbound/index.ts";

/** A URI on which two parsers agree: the grammar of RFC 3986 and the URL parser of browsers. */
export interface AgreedUri {
  /** Lower case, without the colon. */
  readonly scheme: string;
  /** Host with its port, as written; empty for schemes without one (`com.example.app:/callback`). */
  readonly authority: string;
  /** Host without port, lower case. */
  readonly hostname: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** Longer URIs are not parsed at all. */
export const longestUri = 2048;

// RFC 3986 appendix B, with the characters that §2 allows; no fragment, no user information and nothing outside ASCII.
const grammar =
  /^([a-z][a-z0-9+.-]*):(?:\/\/([a-z0-9._~!$&'()*+,;=:[\]-]*))?((?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)(\?(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

// Schemes that browsers execute, render or open themselves instead of passing the URI to an application.
const ownedByBrowsers = new Set([
  "about",
  "blob",
  "chrome",
  "chrome-extension",
  "content",
  "data",
  "edge",
  "file",
  "filesystem",
  "ftp",
  "intent",
  "jar",
  "javascript",
  "jscript",
  "livescript",
  "mailto",
  "mhtml",
  "mocha",
  "moz-extension",
  "ms-its",
  "resource",
  "sms",
  "tel",
  "vbscript",
  "view-source",
  "ws",
  "wss",
]);

/** Whether a browser may be sent to a URI of this scheme. */
export const isNavigableScheme = (scheme: string): boolean => !ownedByBrowsers.has(scheme.toLowerCase());

/**
 * Reads a URI to which a browser may be sent. Undefined for everything that two parsers could read differently (dot
 * segments, backslashes, control characters, user information, odd spellings of hosts), for fragments (RFC 6749 §3.1.2)
 * and for schemes that a browser would handle itself.
 */
export function parseUri(text: string): AgreedUri | undefined {
  if (text.length > longestUri) return undefined;
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, scheme = "", authority, path = "", query = ""] = match;
  const uri = { scheme: scheme.toLowerCase(), authority: authority ?? "", path, query };
  if (!isNavigableScheme(uri.scheme) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isSameAuthority(uri, url) || !isSamePath(uri, url) || url.search !== (query === "?" ? "" : query))
    return undefined;
  // A web URI without a host is rejected, whatever follows the scheme: `https:/evil.example`.
  if (isWeb(uri) && (authority === undefined || url.hostname === "")) return undefined;
  return { ...uri, hostname: url.hostname };
}

/** Whether the URI refers to a web server. */
export const isWeb = (uri: { readonly scheme: string }): boolean => uri.scheme === "https" || uri.scheme === "http";

/** Whether the URI refers to the user's own machine. */
export const isLoopback = (uri: AgreedUri): boolean => isWeb(uri) && isLoopbackHost(uri.hostname);

/** Whether a redirect goes to a program that listens on the user's own machine (RFC 8252 §7.3). */
export function isLoopbackUri(redirectUri: string): boolean {
  const uri = parseUri(redirectUri);
  return uri?.scheme === "http" && isLoopback(uri);
}

/**
 * Whether a redirect stays on the user's own device: at a loopback port, or in a program that claimed a scheme (RFC
 * 8252 §7).
 */
export function staysOnDevice(redirectUri: string): boolean {
  const uri = parseUri(redirectUri);
  return uri !== undefined && (!isWeb(uri) || isLoopback(uri));
}

function isSameAuthority({ scheme, authority }: { scheme: string; authority: string }, url: URL): boolean {
  const written = isWeb({ scheme }) ? authority.toLowerCase() : authority;
  const isDefaultPort =
    (scheme === "https" && written === `${url.host}:443`) || (scheme === "http" && written === `${url.host}:80`);
  return written === url.host || isDefaultPort;
}

function isSamePath({ path }: { path: string }, url: URL): boolean {
  return path === url.pathname || (path === "" && url.pathname === "/");
}
