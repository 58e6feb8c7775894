import type { Call } from "../../call/index.ts";
import { answersRequest, attachSession } from "../auth-request/index.ts";
import { isFreshlySignedIn, listBrowserAccounts, listSignedInSessions, type Session } from "../session/index.ts";
import { terminateSession } from "../sign-out/index.ts";
import { type BrowserVisit, keyOf, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { deleteSignIn } from "./sign-in.store.ts";
import { unnamed } from "./state.ts";
import { beginStepUp } from "./step-up.ts";

/**
 * Lists the sessions with which the browser can continue at once: signed in, and valid for the waiting request. Newest
 * first.
 */
export async function listFittingSessions(deps: SignInDeps, call: Call, visit: BrowserVisit): Promise<Session[]> {
  const sessions = await listSignedInSessions(deps, call, visit.browserHash);
  const { authRequest, maxAge } = visit;
  if (authRequest === undefined) return maxAge === undefined ? sessions : filterFresh(deps, call, { sessions, maxAge });
  const { host } = visit;
  const demand = { ...authRequest.parameters, requestedAt: authRequest.createdAt, host };
  const isFitting = await Promise.all(sessions.map((session) => answersRequest(deps, call, session, demand)));
  return sessions.filter((_, index) => isFitting[index]);
}

async function filterFresh(
  deps: SignInDeps,
  call: Call,
  { sessions, maxAge }: { readonly sessions: readonly Session[]; readonly maxAge: number },
): Promise<Session[]> {
  const isFresh = await Promise.all(sessions.map((session) => isFreshlySignedIn(deps, call, session, maxAge)));
  return sessions.filter((_, index) => isFresh[index]);
}

/** Continues with a session of the browser. Returns false when it does not exist or is not valid for the request. */
export async function continueSession(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  sessionId: string,
): Promise<boolean> {
  const fitting = await listFittingSessions(deps, call, visit);
  if (!fitting.some((session) => session.sessionId === sessionId)) return false;
  const { browserHash, authRequestId } = keyOf(visit);
  return deps.database.touch(call, async (tx) => {
    if (authRequestId !== undefined && !(await attachSession(tx, { authRequestId, browserHash, sessionId })))
      return false;
    await deleteSignIn(tx, keyOf(visit));
    return true;
  });
}

/**
 * Chooses one of the browser's accounts. `continued`: it continues with its session. `stepped_up`: one more factor is
 * asked for. `named`: its password is asked for next. `absent`: no such account in this browser.
 */
export async function chooseSession(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  sessionId: string,
): Promise<"continued" | "stepped_up" | "named" | "absent"> {
  if (await continueSession(deps, call, visit, sessionId)) return "continued";
  if (await beginStepUp(deps, call, visit, sessionId)) return "stepped_up";
  const accounts = await listBrowserAccounts(deps.database.read, call.instanceId, visit.browserHash);
  const account = accounts.find(({ session }) => session.sessionId === sessionId);
  if (account === undefined) return "absent";
  const { loginName, session } = account;
  const attempt = { attemptId: deps.newId(), loginName, userId: session.userId };
  await writeSignIn(deps, call, visit, { ...unnamed, ...attempt, state: "identified" });
  return "named";
}

/** Signs an account out in this browser and removes it from the browser's list. */
export async function removeSession(
  deps: SignInDeps,
  call: Call,
  browserHash: string,
  sessionId: string,
): Promise<void> {
  await deps.database.change(call, (tx) => terminateSession(tx, sessionId, { browserHash }));
}
