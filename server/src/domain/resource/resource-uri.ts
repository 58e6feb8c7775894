import { isLoopbackUri, parseUri } from "../oidc-configuration/index.ts";

/** A URI of a resource, in the one form of all its spellings. */
export interface ResourceUri {
  /** Scheme and host in lower case, without default port; a path that is empty or `/` stays as it was written. */
  readonly uri: string;
  /** The same for every spelling. */
  readonly key: string;
  /** The key without regard to case and to a slash at the end. */
  readonly claimKey: string;
  readonly origin: string;
  /** Lower case, without port. */
  readonly hostname: string;
  /** Whether it is http on this machine. */
  readonly isLocal: boolean;
}

const unreserved = /[A-Za-z0-9\-._~]/;
// What servers may decode to a separator or to the end of a text, and so read as another path.
const ambiguous = /%(?:2f|5c|00)|\/\//i;

/**
 * Returns the URI of a resource (RFC 8707 §2): absolute, without fragment and, here, without query and user
 * information; https, or http on this machine. Undefined for everything else, and for what two parsers could read
 * differently. Every spelling of the same (RFC 3986 §6.2.2: case of scheme and host, default port, percent-encoding)
 * has the same key.
 */
export function parseResourceUri(text: string): ResourceUri | undefined {
  const parsed = parseUri(text);
  if (parsed === undefined || parsed.query !== "") return undefined;
  const { hostname } = parsed;
  const isLocal = isLoopbackUri(text);
  if (parsed.scheme !== "https" && !isLocal) return undefined;
  // A name that ends with a dot is the same host to DNS and another one to every comparison.
  if (hostname.endsWith(".") || hostname.includes("..") || ambiguous.test(parsed.path)) return undefined;
  const { origin } = new URL(text);
  const path = parsed.path.replaceAll(/%[0-9a-f]{2}/gi, normalizeEncoding);
  const key = origin + (path === "" ? "/" : path);
  return { uri: origin + path, key, claimKey: withoutSlash(key.toLowerCase()), origin, hostname, isLocal };
}

// Only what needs no encoding is decoded, so that nothing becomes a separator.
function normalizeEncoding(encoded: string): string {
  const decoded = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return unreserved.test(decoded) ? decoded : encoded.toUpperCase();
}

const withoutSlash = (key: string): string => (key.endsWith("/") ? key.slice(0, -1) : key);

/**
 * Returns the claim keys of a URI and of everything that it lies inside: `https://a.example/b` → itself and the origin.
 */
export function claimsAround({ claimKey, origin }: ResourceUri): string[] {
  const segments = claimKey.slice(origin.length).split("/");
  return segments.map((_, index) => origin + segments.slice(0, index + 1).join("/"));
}
