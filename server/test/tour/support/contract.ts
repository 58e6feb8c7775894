import type { Exchange } from "./recorder.ts";

/** Where an exchange happened. */
export interface At {
  readonly server: { readonly origin: string };
  /** Where browsers are sent to identify themselves. */
  readonly provider: { readonly issuer: string };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
];

/** The policy of the console, whose pages are made by its scripts. */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const features =
  "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)";

/** Headers that every page has, word for word (ASVS 3.4, OWASP secure headers). */
const ofPages: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": features,
};

/** Names of headers by which servers tell what they are made of. */
const banners = ["server", "x-powered-by", "via", "x-aspnet-version", "x-runtime"];

const cookie =
  /^doorward-(?:(?:browser=dwb_[\w-]{43}|language=[a-z]{2}|provider=\d+); Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000|request-\d+=dwb_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600|setup=(?:dwu_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800|; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0)|after-logout=(?:[\w.+/=-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600|; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0))$/;

/** Pages that people use by themselves: they never are part of another page, and post nowhere else. */
const isOwn = (address: string): boolean => /^\/(?:ui\/account|docs)(?![\w-])/.test(address);

/** Returns what is wrong with an answer to a browser; empty when nothing is. */
export function demandContract({ server, provider }: At, exchange: Exchange): string[] {
  const { method, address, status, headers, body } = exchange;
  const faults: string[] = [];
  const demand = (isGood: boolean, what: string): void => {
    if (!isGood) faults.push(`${method} ${address.split("?", 1)[0]} ${status}: ${what}`);
  };
  demand(status < 500, "a failure of the server");
  demand(headers.get("x-request-id") !== null, "no reference");
  for (const name of banners) demand(headers.get(name) === null, `says what it is: ${name}`);
  for (const line of headers.getSetCookie()) demand(cookie.test(line), `cookie ${line.slice(0, 20)}`);
  const names = headers.getSetCookie().map((line) => line.split("=", 1)[0]);
  demand(new Set(names).size === names.length, "a cookie twice");
  // Public documents are revalidated by their hash, and tell nothing of any user.
  const isPublic = /^\/docs(?![\w-])/.test(address);
  demand(
    headers.get("cache-control") === (isPublic ? "no-cache" : "no-store"),
    `kept: ${headers.get("cache-control")}`,
  );
  const type = headers.get("content-type");
  const location = headers.get("location");
  if (status >= 300 && status < 400) {
    const isHere = location?.startsWith("/") === true && !/^\/[/\\]/.test(location);
    const isMeant = [
      "https://shop.example/callback?",
      "https://app.example/",
      "https://login.example/good?",
      `${provider.issuer}/authorize?`,
    ];
    demand(isHere || isMeant.some((prefix) => location?.startsWith(prefix)), `leads to ${location}`);
    demand(body === "", "a redirect with a body");
    return faults;
  }
  demand(location === null, "leads somewhere without being a redirect");
  if (type?.startsWith("text/html") !== true) {
    demand(type === null ? body === "" : inertTypes.includes(type), `is ${type}`);
    demand(headers.get("x-content-type-options") === "nosniff", "may be sniffed");
    return faults;
  }
  for (const [name, value] of Object.entries(ofPages))
    demand(headers.get(name) === value, `${name}: ${headers.get(name)}`);
  return [...faults, ...demandPolicy(server.origin, exchange).map((what) => `${method} ${address}: ${what}`)];
}

// Types of which browsers show or run nothing.
const inertTypes: readonly string[] = [
  "application/json",
  "text/plain; charset=utf-8",
  "application/samlmetadata+xml; charset=utf-8",
  "application/x-pem-file",
  // Of the look of a preview.
  "text/css; charset=utf-8",
];

function demandPolicy(origin: string, { address, status, headers, body }: Exchange): string[] {
  // A mail is a document of its own, which may do nothing at all.
  if (address.startsWith("/ui/dev/inbox/mail") && status < 400) return demandMailPolicy(headers);
  if (address.startsWith("/ui/preview") && status < 400) return demandPreviewPolicy(headers);
  const isAccount = isOwn(address);
  const isConsole = address.startsWith("/ui/console/") && status === 200;
  // Its form leads to a provider.
  const isLeaving = body.includes('action="/ui/account/methods/link?');
  const isRelay = body.includes('method="post" action="https://');
  const faults: string[] = [];
  const found = headers.get("content-security-policy") ?? "";
  if (!isRelay) {
    const ofPage = [...policy, ...(isAccount && !isLeaving ? ["form-action 'self'"] : [])];
    if (found !== (isConsole ? consolePolicy : ofPage).join("; ")) faults.push(`policy ${found}`);
    if (headers.get("referrer-policy") !== "same-origin") faults.push("referrer policy");
    if (/<script(?![^>]*\ssrc="\/)|<style|\sstyle="/i.test(body)) faults.push("script or style inside");
  }
  if (headers.get("x-frame-options") !== "DENY") faults.push("may be framed");
  if ((isAccount || isConsole) !== (headers.get("cross-origin-opener-policy") === "same-origin"))
    faults.push("opener policy");
  if (headers.get("strict-transport-security") !== null || !origin.startsWith("http:"))
    faults.push("https is demanded");
  return faults;
}

function demandMailPolicy(headers: Headers): string[] {
  const expected =
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups$/;
  const found = headers.get("content-security-policy") ?? "";
  return expected.test(found) && headers.get("x-frame-options") === "DENY" ? [] : [`policy ${found}`];
}

// The only document that a page of ours may frame: it runs nothing, and sends nothing.
function demandPreviewPolicy(headers: Headers): string[] {
  const expected =
    /^default-src 'none'; style-src (?:'self'|'sha256-[\w+/=]{44}'); img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin$/;
  const found = headers.get("content-security-policy") ?? "";
  const isFramedHere = headers.get("x-frame-options") === "SAMEORIGIN";
  const isSilent = headers.get("referrer-policy") === "no-referrer";
  return expected.test(found) && isFramedHere && isSilent ? [] : [`policy ${found}`];
}
