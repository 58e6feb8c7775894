import type { Tx } from "../../database/index.ts";
import { findFormerAuthRequest, holdBrowserAuthRequest, takeOverAuthRequest } from "../auth-request/index.ts";
import { findSession, moveSessionsOfUser } from "../session/index.ts";
import { rotateBrowser } from "./rotate-browser.ts";
import { findSignIn } from "./sign-in.store.ts";

export interface TakeBrowser {
  readonly browser: { readonly from: string; readonly to: string };
  readonly authRequestId: string | undefined;
  /** Who proved something just now. */
  readonly userId: string;
  /** Whether that was everything that the person has to prove. */
  readonly isWhole: boolean;
}

/**
 * Step: gives the browser of somebody who proved a password another secret. False when the request that he signs in for is not his browser's.
 *
 * A form that is sent twice comes the second time with a secret that the first has replaced, and the answer to the first, with the new secret, is
 * lost. Then the request is taken over from the first: that needs the very password again that the first was sent with. The person's sessions come
 * along only when that was all that he has to prove, and those of others never: so a stranger who knew the old secret gains nothing by it.
 */
export async function takeBrowser(tx: Tx, { browser, authRequestId, userId, isWhole }: TakeBrowser): Promise<boolean> {
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
  await takeOverAuthRequest(tx, { authRequestId, browserHash: to, formerBrowserHash: from });
  if (isWhole) await moveSessionsOfUser(tx, { from: former.browserHash, to }, userId);
  return true;
}
