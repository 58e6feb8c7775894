import type { Tx } from "../../database/index.ts";
import { findFormerAuthRequest, holdBrowserAuthRequest, takeOverAuthRequest } from "../auth-request/index.ts";
import { findSession, moveSessionsOfUser } from "../session/index.ts";
import { rotateBrowser } from "./rotate-browser.ts";
import { findSignIn } from "./sign-in.store.ts";

export interface TakeBrowser {
  readonly browser: { readonly from: string; readonly to: string };
  readonly authRequestId: string | undefined;
  /** The user who has just proven something. */
  readonly userId: string;
  /** Whether that was everything that the user has to prove. */
  readonly isWhole: boolean;
}

/**
 * Step: gives the browser of a user who proved a password another secret. Returns false when the request does not
 * belong to that browser.
 *
 * A form that is sent twice arrives the second time with a secret that the first submission has replaced. The answer to
 * the first, with the new secret, is lost. The request is then taken over from the first submission: that needs the
 * same password again. The user's sessions come along only when that was everything to prove, and those of other users
 * never come along. So an attacker who knew the old secret gains nothing.
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
  const attempt = await findSignIn(tx, tx.instanceId, current, tx.now);
  if (session?.userId !== userId && attempt?.userId !== userId) return false;
  await takeOverAuthRequest(tx, { authRequestId, browserHash: to, formerBrowserHash: from });
  if (isWhole) await moveSessionsOfUser(tx, { from: former.browserHash, to }, userId);
  return true;
}
