import type { Call } from "../../call/index.ts";
import { listBrowserAccounts } from "../session/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { listStepUpSessions } from "./missing-context.ts";
import { unnamed } from "./state.ts";

/**
 * Begins an attempt that asks the user of a session for a second factor alone, because the waiting request asks for
 * more than the session has seen (step-up, RFC 9470 §5). Returns false when that would not help. The attempt keeps
 * nothing of the session: what it proved counts only while it lives.
 */
export async function beginStepUp(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  sessionId: string,
): Promise<boolean> {
  const sessions = await listStepUpSessions(deps, call, visit);
  const accounts = await listBrowserAccounts(deps.database.read, call.instanceId, visit.browserHash);
  const account = accounts.find(({ session }) => session.sessionId === sessionId);
  if (account === undefined || !sessions.some((session) => session.sessionId === sessionId)) return false;
  const { loginName, session } = account;
  const attempt = { attemptId: deps.newId(), loginName, userId: session.userId };
  await writeSignIn(deps, call, visit, { ...unnamed, ...attempt, state: "second_factor" });
  return true;
}
