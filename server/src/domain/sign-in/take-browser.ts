import type { Tx } from "../../database/index.ts";
import { findFormerAuthRequest, holdBrowserAuthRequest, keepFormerBrowser } from "../auth-request/index.ts";
import { findSession } from "../session/index.ts";
import { rotateBrowser } from "./rotate-browser.ts";
import { findSignIn } from "./sign-in.store.ts";

export interface TakeBrowser {
  readonly browser: { readonly from: string; readonly to: string };
  readonly authRequestId: string | undefined;
  /** Whose password was proven just now. */
  readonly userId: string;
}

/**
 * Step: gives the browser of somebody who proved a password another secret. False when the request that he signs in for is not his browser's.
 *
 * A form that is sent twice comes the second time with a secret that the first has replaced, and the answer to the first, with the new secret, is
 * lost. Then the browser is taken over from the first: that needs the very password again that the first was sent with, so a stranger who knew the
 * old secret gains nothing by it.
 */
export async function takeBrowser(tx: Tx, { browser, authRequestId, userId }: TakeBrowser): Promise<boolean> {
  const { from, to } = browser;
  if (authRequestId === undefined || (await holdBrowserAuthRequest(tx, { authRequestId, browserHash: from }))) {
    await rotateBrowser(tx, { from, to });
    return true;
  }
  const former = await findFormerAuthRequest(tx, tx.instanceId, { authRequestId, formerBrowserHash: from }, tx.now);
  if (former === undefined) return false;
  const current = { authRequestId, browserHash: former.browserHash };
  if (!(await holdBrowserAuthRequest(tx, current))) return false;
  const { sessionId } = former.request;
  const session = sessionId === undefined ? undefined : await findSession(tx, tx.instanceId, sessionId);
  const way = await findSignIn(tx, tx.instanceId, current, tx.now);
  if (session?.userId !== userId && way?.userId !== userId) return false;
  await rotateBrowser(tx, { from: former.browserHash, to });
  await keepFormerBrowser(tx, { authRequestId, formerBrowserHash: from });
  return true;
}
