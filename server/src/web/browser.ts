import { days } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import { hashSecret, Secret } from "../base/secret.ts";
import { generateToken, tokenKindOf } from "../call/index.ts";
import { cookieName, parseCookies, serializeCookie } from "./cookie.ts";
import type { WebRequest } from "./exchange.ts";

/** A browser, identified by the secret in its cookie. Sessions and authorization requests are bound to the hash. */
export interface Browser {
  readonly secret: Secret;
  readonly hash: string;
}

const cookie = "browser";
const maxAgeSeconds = days(365) / 1000;

/** Returns the browser of a request by its cookie; undefined without a cookie, or with a malformed one. */
export function readBrowser(request: Pick<WebRequest, "header" | "instance">): Browser | undefined {
  const value = parseCookies(request.header("cookie")).get(cookieName(cookie, isSecure(request.instance.origin)));
  if (value === undefined || tokenKindOf(value) !== "browserSecret") return undefined;
  return toBrowser(value);
}

/** Creates a new browser, including in place of an old one after a sign-in: the old secret is then worthless. */
export function newBrowser(random: Random): Browser {
  const secret = generateToken("browserSecret", random);
  return { secret, hash: hashSecret(secret) };
}

/** Returns the `Set-Cookie` value with the browser's secret, for a year. `origin` is the instance's public origin. */
export function browserCookie(browser: Browser, origin: string): string {
  return serializeCookie(cookie, browser.secret.reveal(), { isSecure: isSecure(origin), maxAgeSeconds });
}

/**
 * Returns the `Set-Cookie` value with the secret of a browser that had none when it began this authorization request.
 * The browser may begin another one at the same time, whose response replaces the cookie that all pages share; this one
 * still proves that the request is its own.
 */
export const requestCookie = (
  authRequestId: string,
  browser: Browser,
  { origin, maxAgeSeconds: lifetime }: { readonly origin: string; readonly maxAgeSeconds: number },
): string =>
  serializeCookie(nameOfRequest(authRequestId), browser.secret.reveal(), {
    isSecure: isSecure(origin),
    maxAgeSeconds: lifetime,
  });

/** Returns the secret with which a browser without one began an authorization request. */
export function readRequestBrowser(
  request: Pick<WebRequest, "header" | "instance">,
  authRequestId: string,
): Browser | undefined {
  const name = cookieName(nameOfRequest(authRequestId), isSecure(request.instance.origin));
  const value = parseCookies(request.header("cookie")).get(name);
  return value === undefined || tokenKindOf(value) !== "browserSecret" ? undefined : toBrowser(value);
}

/**
 * Whether a request without our cookie comes from a browser that has none. Browsers withhold it (SameSite=Lax) from
 * what another site posts, so such a request proves nothing, and setting a cookie would replace the real one.
 */
export function isBrowserNew(request: Pick<WebRequest, "header" | "instance" | "method">): boolean {
  if (readBrowser(request) !== undefined) return false;
  if (request.method === "GET" || request.method === "HEAD") return true;
  const site = request.header("sec-fetch-site");
  return site === "same-origin" || (site === undefined && request.header("origin") === request.instance.origin);
}

const nameOfRequest = (authRequestId: string): string => `request-${authRequestId}`;

function toBrowser(value: string): Browser {
  const secret = new Secret(value);
  return { secret, hash: hashSecret(secret) };
}

const isSecure = (origin: string): boolean => origin.startsWith("https:");
