/** Which pages: those that sign somebody in on behalf of applications, or those that people use by themselves. */
export type Surface = "login" | "account";

export interface PageHeadersInput {
  readonly surface: Surface;
  /** Whether the public origin is https; only then may a browser be told to insist on it. */
  readonly isHttps: boolean;
  /** Origins that may frame the pages of signing in, from the security settings; empty where framing is off. */
  readonly frameAncestors?: readonly string[];
  /** A form of the page leads on to another server, in the redirects after it. */
  readonly isLeaving?: boolean;
  /** For the page that posts an answer to an application. */
  readonly relay?: Relay;
}

/** A page that does nothing but post one form. */
export interface Relay {
  /** Address of the form; http or https. */
  readonly target: string;
  /** SHA-256 of the one script of the page, in base64. */
  readonly scriptHash: string;
}

// Features that pages of ours never use. Passkeys are the exception, below.
const deniedFeatures = [
  "camera",
  "display-capture",
  "geolocation",
  "hid",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

/** The headers of every HTML answer. */
export function pageHeaders({
  surface,
  isHttps,
  frameAncestors = [],
  isLeaving = false,
  relay,
}: PageHeadersInput): Record<string, string> {
  const framers = surface === "login" ? frameAncestors.filter(isOrigin) : [];
  return {
    ...commonHeaders(isHttps),
    "content-security-policy": contentSecurityPolicy(surface === "account" && !isLeaving, framers, relay),
    // Keeps the Origin header on our own forms, which `no-referrer` would turn into `null`. An application learns our origin and no more.
    "referrer-policy": relay === undefined ? "same-origin" : "strict-origin",
    "permissions-policy": [
      ...deniedFeatures.map((feature) => `${feature}=()`),
      ...["publickey-credentials-get=(self)", "publickey-credentials-create=(self)"],
    ].join(", "),
    "cache-control": "no-store",
    // An older name for frame-ancestors, which cannot name other origins.
    ...(framers.length === 0 && { "x-frame-options": "DENY" }),
    // Not while signing in: applications open it in a pop-up and need its opener.
    ...(surface === "account" && { "cross-origin-opener-policy": "same-origin" }),
  };
}

/** The headers of files that pages load. A drawing that is opened by itself can do nothing. */
export const assetHeaders = (isHttps: boolean): Record<string, string> => ({
  ...commonHeaders(isHttps),
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
});

const commonHeaders = (isHttps: boolean): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  ...(isHttps && { "strict-transport-security": "max-age=31536000" }),
});

function contentSecurityPolicy(staysHere: boolean, framers: readonly string[], relay: Relay | undefined): string {
  return [
    "default-src 'none'",
    relay === undefined ? "script-src 'self'" : `script-src 'sha256-${relay.scriptHash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(" ")}`,
    // Never while signing in, nor where a form leads to a provider: Chromium applies form-action to every redirect after a post, so it would
    // block the way there, and the way back to the application.
    ...(staysHere ? ["form-action 'self'"] : []),
    ...(relay === undefined ? [] : [`form-action ${toSource(relay.target)}`]),
  ].join("; ");
}

// The origin, which is what browsers compare after a redirect. A literal of IPv6 has no place in a policy (CSP 3 §2.3.1), so its scheme stands
// for it: only native applications on the machine itself have one.
function toSource(target: string): string {
  const { origin, hostname, protocol } = new URL(target);
  return hostname.startsWith("[") ? protocol : origin;
}

// Exactly one origin: no wildcard, and nothing that could end the directive and begin another.
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
