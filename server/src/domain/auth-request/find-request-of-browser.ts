import type { Database } from "../../database/index.ts";
import { type Browser, readRequestBrowser, type WebRequest } from "../../web/index.ts";
import { findBrowserAuthRequest, joinAuthRequest } from "./auth-request.store.ts";
import type { AuthRequest } from "./auth-request.ts";

/**
 * Finds the open request of a browser. Two tabs of a browser without cookie each get a secret, and the later one stays
 * in the cookie that both share. The request of the other tab is joined to it by the cookie of its own.
 */
export async function findRequestOfBrowser(
  { database }: { readonly database: Database },
  request: Pick<WebRequest, "header" | "instance" | "call">,
  { browser, authRequestId }: { readonly browser: Browser; readonly authRequestId: string },
): Promise<AuthRequest | undefined> {
  const { call } = request;
  const key = { authRequestId, browserHash: browser.hash };
  const found = await findBrowserAuthRequest(database.read, call.instanceId, key, call.now);
  if (found !== undefined) return found;
  const first = readRequestBrowser(request, authRequestId);
  if (first === undefined || first.hash === browser.hash) return undefined;
  const isJoined = await database.touch(call, (tx) => joinAuthRequest(tx, { ...key, formerBrowserHash: first.hash }));
  return isJoined ? findBrowserAuthRequest(database.read, call.instanceId, key, call.now) : undefined;
}
