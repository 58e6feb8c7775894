import type { Database } from "../../database/index.ts";
import type { Browser, WebRequest } from "../../web/index.ts";
import { findRequestOfBrowser } from "../auth-request/index.ts";
import { findRequestedSignIn, findSignIn, type RequestedSignIn } from "./sign-in.store.ts";

/**
 * Finds the open request of a browser and how far the attempt to answer it has come. The request of another tab is
 * joined as `findRequestOfBrowser` says.
 */
export async function findAttempt(
  deps: { readonly database: Database },
  request: Pick<WebRequest, "header" | "instance" | "call">,
  { browser, authRequestId }: { readonly browser: Browser; readonly authRequestId: string },
): Promise<RequestedSignIn | undefined> {
  const { instanceId, now } = request.call;
  const { read } = deps.database;
  const key = { authRequestId, browserHash: browser.hash };
  const found = await findRequestedSignIn(read, instanceId, key, now);
  if (found !== undefined) return found;
  const authRequest = await findRequestOfBrowser(deps, request, { browser, authRequestId });
  return authRequest && { authRequest, signIn: await findSignIn(read, instanceId, key, now) };
}
