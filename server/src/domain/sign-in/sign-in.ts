import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { attachSession } from "../auth-request/index.ts";
import { dropNoticesOfSession } from "../logout-notice/index.ts";
import { putBrowserSession, type UserAgent } from "../session/index.ts";
import { deleteSignIn } from "./sign-in.store.ts";
import { takeBrowser } from "./take-browser.ts";

export interface BrowserAuthentication {
  readonly userId: string;
  readonly organizationId: string;
  readonly authRequestId: string | undefined;
  /** Hashes of the browser's secret so far and of the one that it gets now. */
  readonly browser: { readonly from: string; readonly to: string };
  readonly userAgent: UserAgent;
  /** When it has to be checked again. */
  readonly expiresAt: Instant;
  /** What was checked; the password when not given. */
  readonly factor?: "password" | "intent";
}

/**
 * Step: signs somebody in whose password, or sign-in at a provider, was checked just now. The browser gets a session of the user, or its session is renewed; its secret
 * changes; the session will answer the authorization request that waits. Undefined when the request is not this browser's.
 */
export async function signIn(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: BrowserAuthentication,
): Promise<{ readonly sessionId: string } | undefined> {
  const { browser, authRequestId } = input;
  if (!(await takeBrowser(tx, input))) return undefined;
  const { sessionId } = await putBrowserSession(tx, deps, { ...input, browserHash: browser.to });
  // A session that had expired goes on, so nobody is told any more that it ended.
  await dropNoticesOfSession(tx, sessionId);
  if (authRequestId !== undefined) await attachSession(tx, { authRequestId, browserHash: browser.to, sessionId });
  await deleteSignIn(tx, { browserHash: browser.to, authRequestId });
  return { sessionId };
}
