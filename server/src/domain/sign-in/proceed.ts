import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type Browser, newBrowser } from "../../web/index.ts";
import { attachSession, holdBrowserAuthRequest } from "../auth-request/index.ts";
import { dropNoticesOfSession } from "../logout-notice/index.ts";
import { externalLifetime, isExternal, passwordLifetime, putBrowserSession } from "../session/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps } from "./browser-visit.ts";
import { decideNext, type NextStep, type Proven } from "./decide-next.ts";
import { sendSecondFactorCode } from "./send-code.ts";
import { deleteSignIn, putSignIn } from "./sign-in.store.ts";
import { type SignIn, unnamed } from "./state.ts";
import type { StepOutcome } from "./step-outcome.ts";
import { takeBrowser } from "./take-browser.ts";

export interface Proceed extends Proven {
  /** Names the way that codes of it are made for; a new one when not given. */
  readonly wayId?: string | undefined;
  /**
   * Whether the browser keeps its secret: it got another one with the first proof of this way, and a form that is sent twice then finds where the
   * first has led.
   */
  readonly keepsSecret?: boolean;
}

/** Leads on after a proof: to the next step, or to the end of the way, where the browser is signed in. */
export async function proceed(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  proven: Proceed,
): Promise<StepOutcome> {
  const next = await decideNext(deps, call, visit, proven);
  const arrival = await prepareArrival(deps, call, visit, { proven, next });
  const work = (tx: Tx): Promise<Arrived | undefined> => arrive(tx, deps, arrival);
  // Steps of the way are no history; a session is.
  const { database } = deps;
  const arrived = next.state === "signed_in" ? await database.change(call, work) : await database.touch(call, work);
  if (arrived === undefined) return { outcome: "gone" };
  return describeArrival(deps, call, arrival, arrived);
}

/** All that `arrive` needs, read before the unit of work. */
export interface Arrival {
  readonly visit: BrowserVisit;
  readonly proven: Proven;
  readonly next: NextStep;
  readonly wayId: string;
  /** The browser as it is from then on. */
  readonly browser: Browser | undefined;
  readonly wayEnd: Instant;
  readonly sessionEnd: Instant;
}

/** Where a step has led: to a session, or to another step. */
export interface Arrived {
  readonly sessionId: string | undefined;
}

/** Reads what `arrive` needs, for who makes or changes the user in the unit of work that signs him in. */
export async function prepareArrival(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { proven, next }: { readonly proven: Proceed; readonly next: NextStep },
): Promise<Arrival> {
  const readLifetime = isExternal(next) ? externalLifetime : passwordLifetime;
  return {
    ...{ visit, proven, next },
    wayId: proven.wayId ?? deps.newId(),
    browser: proven.keepsSecret === true ? undefined : newBrowser(deps.random),
    wayEnd: endOf(visit, call),
    sessionEnd: call.now + (await readLifetime(deps, call, proven.organizationId)),
  };
}

/**
 * Step: what a proof leads to. With the end of the way the browser gets a session of the user, or its session is renewed, and the session will
 * answer the authorization request that waits. Undefined when the request is not this browser's.
 */
export async function arrive(
  tx: Tx,
  deps: Pick<SignInDeps, "newId">,
  { visit, proven, next, wayId, browser, wayEnd, sessionEnd: expiresAt }: Arrival,
): Promise<Arrived | undefined> {
  const { authRequestId, browserHash: from } = keyOf(visit);
  const { userId, organizationId, loginName } = proven;
  const { factors } = next;
  const browserHash = browser?.hash ?? from;
  if (browser !== undefined) {
    const isWhole = next.state === "signed_in";
    const taken = await takeBrowser(tx, { browser: { from, to: browserHash }, authRequestId, userId, isWhole });
    if (!taken) return undefined;
  } else if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, { authRequestId, browserHash }))) {
    return undefined;
  }
  if (next.state !== "signed_in") {
    const way: SignIn = { state: next.state, loginName, userId, problem: undefined, wayId, factors };
    await putSignIn(tx, { browserHash, authRequestId }, way, wayEnd);
    return { sessionId: undefined };
  }
  const session = { browserHash, userId, organizationId, userAgent: visit.userAgent, expiresAt, factors };
  const { sessionId } = await putBrowserSession(tx, deps, session);
  // A session that had expired goes on, so nobody is told any more that it ended.
  await dropNoticesOfSession(tx, sessionId);
  if (authRequestId !== undefined) await attachSession(tx, { authRequestId, browserHash, sessionId });
  await deleteSignIn(tx, { browserHash, authRequestId });
  return { sessionId };
}

/** How a step ended that has arrived somewhere. A code that is the strongest that the person has is sent at once. */
export async function describeArrival(
  deps: SignInDeps,
  call: Call,
  { visit, proven, next, wayId, browser }: Arrival,
  { sessionId }: Arrived,
): Promise<StepOutcome> {
  const { userId, organizationId, loginName } = proven;
  if (sessionId !== undefined) return { outcome: "signed_in", organizationId, sessionId, browser };
  const [strongest] = next.secondFactors;
  if (next.state === "second_factor" && (strongest === "otp_sms" || strongest === "otp_email")) {
    const at: SignIn = { ...unnamed, state: next.state, loginName, userId, wayId, factors: next.factors };
    const now = { ...visit, browserHash: browser?.hash ?? visit.browserHash };
    await sendSecondFactorCode(deps, call, now, { at, kind: strongest });
  }
  return { outcome: "next", browser };
}
