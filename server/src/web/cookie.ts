/**
 * Parses a `Cookie` header (RFC 6265 §4.2.1). The first of several cookies with the same name counts; malformed pairs
 * are skipped.
 */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === undefined || header.length > 16_384) return cookies;
  for (const pair of header.split(";")) {
    const separator = pair.indexOf("=");
    if (separator < 1) continue;
    const name = pair.slice(0, separator).trim();
    const value = pair.slice(separator + 1).trim();
    if (!cookies.has(name) && cookieValue.test(value)) cookies.set(name, value);
  }
  return cookies;
}

export interface CookieOptions {
  /** Whether the public origin is https: only then may the name have `__Host-` and the cookie `Secure`. */
  readonly isSecure: boolean;
  /** Seconds until it expires; by default the end of the browser session, immediately when 0. */
  readonly maxAgeSeconds?: number;
}

/**
 * Returns the name of our cookie: with the `__Host-` prefix, which binds a cookie to this exact host, wherever the
 * origin is https.
 */
export const cookieName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-doorward-${name}` : `doorward-${name}`;

/** Returns a `Set-Cookie` value: HttpOnly, SameSite=Lax, for the whole host and no other. */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  if (!cookieValue.test(value))
    throw new TypeError(`value of cookie ${name} has characters that a cookie cannot carry`);
  const attributes = [`${cookieName(name, options.isSecure)}=${value}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (options.isSecure) attributes.push("Secure");
  if (options.maxAgeSeconds !== undefined) attributes.push(`Max-Age=${options.maxAgeSeconds}`);
  return attributes.join("; ");
}

const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
