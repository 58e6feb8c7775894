import type { Vault } from "../../base/vault.ts";
import type { Database } from "../../database/index.ts";
import {
  cookieName,
  endpointPaths,
  parseCookies,
  readBrowser,
  serializeCookie,
  type WebRequest,
} from "../../web/index.ts";
import { listNoticesOfBrowser } from "./browser-notice.store.ts";

/** Where a browser goes once each service provider knows that the session ended. */
export type AfterLogout =
  | { readonly kind: "address"; readonly target: string }
  /** A service provider that asked for it gets its answer. */
  | {
      readonly kind: "answer";
      readonly clientId: string;
      readonly requestId: string;
      readonly relayState?: string;
      readonly binding: "redirect" | "post";
    };

interface LeadDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "encrypt" | "decrypt">;
}

const cookie = "after-logout";
const lifetimeSeconds = 600;

/** A browser that signed out. */
interface Lead {
  readonly browserHash: string;
  readonly after: AfterLogout;
  /** Whether it goes elsewhere first, and has to come to the endpoint in any case. */
  readonly isLeaving?: boolean;
}

/**
 * Returns where a browser goes after it signed out, instead of `after`, if SAML service providers can only be told
 * through it: to the endpoint that leads it through them. The cookie keeps where it goes then.
 */
export async function leadThroughPartners(
  { database, vault }: LeadDeps,
  { call, instance }: Pick<WebRequest, "call" | "instance">,
  { browserHash, after, isLeaving = false }: Lead,
): Promise<{ readonly address: string; readonly cookie: string } | undefined> {
  const { instanceId, now } = call;
  const waiting = await listNoticesOfBrowser(database.read, instanceId, { browserHash, now });
  if (waiting.length === 0 && !isLeaving) return undefined;
  const text = JSON.stringify({ after, until: now + lifetimeSeconds * 1000 });
  const kept = vault.encrypt(text, sealOf(instanceId, browserHash));
  const isSecure = instance.origin.startsWith("https:");
  return {
    address: endpointPaths.samlLogoutNext,
    cookie: serializeCookie(cookie, kept, { isSecure, maxAgeSeconds: lifetimeSeconds }),
  };
}

/** Returns where the browser was to go; undefined when that was never kept in it, or too long ago. */
export function readAfterLogout(
  { vault }: Pick<LeadDeps, "vault">,
  request: Pick<WebRequest, "call" | "instance" | "header">,
): AfterLogout | undefined {
  const { call, instance, header } = request;
  const browserHash = readBrowser(request)?.hash;
  if (browserHash === undefined) return undefined;
  const isSecure = instance.origin.startsWith("https:");
  const value = parseCookies(header("cookie")).get(cookieName(cookie, isSecure));
  if (value === undefined) return undefined;
  try {
    const kept = JSON.parse(vault.decrypt(value, sealOf(call.instanceId, browserHash)).reveal()) as {
      readonly after: AfterLogout;
      readonly until: number;
    };
    return kept.until > call.now ? kept.after : undefined;
  } catch {
    // Another browser, another site of the same host, or a former master key: as if there were none.
    return undefined;
  }
}

/** Returns the `Set-Cookie` value that forgets it. */
export const forgetAfterLogout = (origin: string): string =>
  serializeCookie(cookie, "", { isSecure: origin.startsWith("https:"), maxAgeSeconds: 0 });

// One that was put into another browser does not decide where that goes.
const sealOf = (instanceId: string, browserHash: string): string => `cookies/${instanceId}/after_logout/${browserHash}`;
