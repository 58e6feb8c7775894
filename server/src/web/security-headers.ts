/**
 * The kind of page: sign-in pages for applications, pages that users open by themselves, the console, or the reference
 * of the API.
 */
export type Surface = "login" | "account" | "console" | "docs";

export interface PageHeadersInput {
  readonly surface: Surface;
  /** Whether the public origin is https; only then may a browser be told to require it. */
  readonly isHttps: boolean;
  /** Origins that may frame the sign-in pages, from the security settings; empty where framing is off. */
  readonly frameAncestors?: readonly string[];
  /** A form of the page redirects to another server. */
  readonly isLeaving?: boolean;
  /** For the page that posts a response to an application. */
  readonly relay?: Relay;
}

/** A page that only posts one form. */
export interface Relay {
  /** Address of the form; http or https. */
  readonly target: string;
  /** SHA-256 of the page's only script, in base64. */
  readonly scriptHash: string;
  /** Whether the address is ours: an authorization request that comes again, from a page of ours. */
  readonly isOwn?: boolean;
}

// Features that our pages never use. Passkeys are the exception, below.
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

const permissions = [
  ...deniedFeatures.map((feature) => `${feature}=()`),
  "publickey-credentials-get=(self)",
  "publickey-credentials-create=(self)",
].join(", ");

/** Returns the headers of every HTML response. */
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
    "content-security-policy":
      surface === "console" || surface === "docs"
        ? policyOfModules(surface)
        : contentSecurityPolicy(surface === "account" && !isLeaving, framers, relay),
    // Keeps the Origin header on our own forms, which `no-referrer` would turn into `null`. An application learns only
    // our origin.
    "referrer-policy": relay === undefined ? "same-origin" : "strict-origin",
    "permissions-policy": permissions,
    "cache-control": "no-store",
    // An older header for frame-ancestors, which cannot name other origins.
    ...(framers.length === 0 && { "x-frame-options": "DENY" }),
    // Not during sign-in: applications open it in a pop-up and need its opener.
    ...(surface !== "login" && { "cross-origin-opener-policy": "same-origin" }),
  };
}

/** Returns the headers of files that pages load. A drawing that is opened by itself cannot run anything. */
export const assetHeaders = (isHttps: boolean): Record<string, string> => ({
  ...commonHeaders(isHttps),
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
});

/**
 * Returns the headers of a preview, which pages of ours may frame: nothing in it runs, sends a form, or leads anywhere.
 * It keeps its origin, so that it may load our style sheets and fonts.
 */
export const previewHeaders = ({
  isHttps,
  styleHash,
}: {
  readonly isHttps: boolean;
  /** SHA-256 of the only style sheet inside it, in base64. */
  readonly styleHash?: string | undefined;
}): Record<string, string> => ({
  ...commonHeaders(isHttps),
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${styleHash === undefined ? "'self'" : `'sha256-${styleHash}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "permissions-policy": permissions,
  "cache-control": "no-store",
  "x-frame-options": "SAMEORIGIN",
});

const commonHeaders = (isHttps: boolean): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  ...(isHttps && { "strict-transport-security": "max-age=31536000" }),
});

// Their modules make elements, never markup of text: a browser that knows trusted types refuses that to all of them.
const policyOfModules = (surface: "console" | "docs"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures that the administrator is about to upload are shown from memory.
    surface === "console" ? "img-src 'self' data: blob:" : "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // Previews of pages; all other pages of ours refuse to be framed.
    ...(surface === "console" ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

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
    // Never during sign-in, nor where a form leads to a provider: Chromium applies form-action to every redirect after
    // a POST, so it would block the redirect to the provider, and the one back to the application.
    ...(staysHere ? ["form-action 'self'"] : []),
    // A form to ourselves is answered with such a redirect, too.
    ...(relay === undefined || relay.isOwn === true ? [] : [`form-action ${toSource(relay.target)}`]),
  ].join("; ");
}

// Returns the origin, which browsers compare after a redirect. A policy cannot contain an IPv6 literal (CSP 3 §2.3.1),
// so its scheme is used instead: only native applications on the machine itself have one.
function toSource(target: string): string {
  const { origin, hostname, protocol } = new URL(target);
  return hostname.startsWith("[") ? protocol : origin;
}

// Exactly one origin: no wildcard, and nothing that could end the directive and begin another.
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
