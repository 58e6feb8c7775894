import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type Browser, newBrowser } from "../../web/index.ts";
import { attachSession, holdBrowserAuthRequest } from "../auth-request/index.ts";
import { takeNoticesBack } from "../logout-notice/index.ts";
import {
  externalLifetime,
  holdSession,
  holdSignIn,
  isExternal,
  passwordLifetime,
  putBrowserSession,
} from "../session/index.ts";
import { recordSignInAttempt, type SignInStep } from "../sign-in-attempt/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps } from "./browser-visit.ts";
import { decideNext, type NextStep, type Proven } from "./decide-next.ts";
import { sendSecondFactorCode } from "./send-code.ts";
import { deleteSignIn, putSignIn } from "./sign-in.store.ts";
import { type SignIn, unnamed } from "./state.ts";
import type { StepOutcome } from "./step-outcome.ts";
import { takeBrowser } from "./take-browser.ts";

export interface Proceed extends Proven {
  /** Id of the attempt that its codes are made for; a new one when absent. */
  readonly attemptId?: string | undefined;
  /** What administrators are told of the proof. */
  readonly steps?: readonly SignInStep[];
  /** What the user was shown as a reference. */
  readonly reference?: string | undefined;
  /**
   * Whether the browser keeps its secret: the first proof of this attempt replaced it, and a form that is sent twice
   * then finds what the first submission led to.
   */
  readonly keepsSecret?: boolean;
}

/** Continues after a proof: with the next question, or with the end of the attempt, which signs the browser in. */
export async function proceed(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  proven: Proceed,
): Promise<StepOutcome> {
  const next = await decideNext(deps, call, visit, proven);
  const prepared = await prepareAdvance(deps, call, visit, { proven, next });
  const work = (tx: Tx): Promise<Advanced | undefined> => advance(tx, deps, prepared);
  // States of an attempt are not history; a session is.
  const { database } = deps;
  const advanced = next.state === "signed_in" ? await database.change(call, work) : await database.touch(call, work);
  if (advanced === undefined) return { outcome: "gone" };
  return describeAdvance(deps, call, prepared, advanced);
}

/** Everything that `advance` needs, read before the unit of work. */
export interface Advance {
  readonly visit: BrowserVisit;
  readonly proven: Proven & Pick<Proceed, "steps" | "reference">;
  readonly next: NextStep;
  readonly attemptId: string;
  /** The browser with its new secret, if it gets one. */
  readonly browser: Browser | undefined;
  readonly attemptEnd: Instant;
  readonly sessionEnd: Instant;
}

/** The result of a proof: a session, or another question. */
export interface Advanced {
  readonly sessionId: string | undefined;
}

/**
 * Reads what `advance` needs, for callers that create or change the user in the unit of work that signs the user in.
 */
export async function prepareAdvance(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { proven, next }: { readonly proven: Proceed; readonly next: NextStep },
): Promise<Advance> {
  const readLifetime = isExternal(next) ? externalLifetime : passwordLifetime;
  return {
    visit,
    proven,
    next,
    attemptId: proven.attemptId ?? deps.newId(),
    browser: proven.keepsSecret === true ? undefined : newBrowser(deps.random),
    attemptEnd: endOf(visit, call),
    sessionEnd: call.now + (await readLifetime(deps, call, proven)),
  };
}

/**
 * Step: writes the result of a proof. At the end of the attempt the user's session in the browser is created or
 * renewed, and it will answer the waiting authorization request. Returns undefined when the request is not this
 * browser's, or the user may no longer be signed in by what was proven.
 */
export async function advance(
  tx: Tx,
  deps: Pick<SignInDeps, "newId">,
  { visit, proven, next, attemptId, browser, attemptEnd, sessionEnd: expiresAt }: Advance,
): Promise<Advanced | undefined> {
  const { authRequestId, browserHash: from } = keyOf(visit);
  const { userId, organizationId, loginName, signInEpoch, usesAnswer } = proven;
  const { factors, restsOn } = next;
  const { steps = [] } = proven;
  const record = (sessionId?: string): void =>
    recordSignInAttempt(tx, {
      attemptId,
      user: { userId, organizationId },
      clientId: visit.authRequest?.clientId,
      sessionId,
      userAgent: visit.userAgent,
      result: sessionId === undefined ? "unfinished" : "signed_in",
      steps: next.asked === undefined ? steps : [...steps, next.asked],
      reference: proven.reference,
    });
  const browserHash = browser?.hash ?? from;
  // Before any session, as those who appoint the user hold them.
  const established = { userId, organizationId, factors, signInEpoch, usesAnswer };
  if (next.state === "signed_in" && !(await holdSignIn(tx, established))) return undefined;
  // A session that was ended meanwhile proves nothing: what it had seen must not begin another.
  if (restsOn !== undefined && next.state === "signed_in") {
    const session = await holdSession(tx, restsOn);
    if (session?.userId !== userId || session.terminatedAt !== undefined) return undefined;
  }
  if (browser !== undefined) {
    const isWhole = next.state === "signed_in";
    const taken = await takeBrowser(tx, { browser: { from, to: browserHash }, authRequestId, userId, isWhole });
    if (!taken) return undefined;
  } else if (authRequestId !== undefined && !(await holdBrowserAuthRequest(tx, { authRequestId, browserHash }))) {
    return undefined;
  }
  if (next.state !== "signed_in") {
    const attempt: SignIn = {
      state: next.state,
      loginName,
      userId,
      problem: undefined,
      attemptId,
      factors,
      signInEpoch,
    };
    record();
    await putSignIn(tx, { browserHash, authRequestId }, attempt, attemptEnd);
    return { sessionId: undefined };
  }
  const session = { browserHash, userId, organizationId, userAgent: visit.userAgent, expiresAt, factors };
  const { sessionId } = await putBrowserSession(tx, deps, session);
  // An expired session is renewed: its clients are notified of another end.
  await takeNoticesBack(tx, sessionId);
  if (authRequestId !== undefined) await attachSession(tx, { authRequestId, browserHash, sessionId });
  record(sessionId);
  await deleteSignIn(tx, { browserHash, authRequestId });
  return { sessionId };
}

/** Describes the outcome of a proof. If the user's strongest second factor is a code that is sent, sends it at once. */
export async function describeAdvance(
  deps: SignInDeps,
  call: Call,
  { visit, proven, next, attemptId, browser }: Advance,
  { sessionId }: Advanced,
): Promise<StepOutcome> {
  const { userId, organizationId, loginName } = proven;
  if (sessionId !== undefined) return { outcome: "signed_in", organizationId, sessionId, browser };
  const [strongest] = next.secondFactors;
  if (next.state === "second_factor" && (strongest === "otp_sms" || strongest === "otp_email")) {
    const signIn: SignIn = { ...unnamed, state: next.state, loginName, userId, attemptId, factors: next.factors };
    const now = { ...visit, browserHash: browser?.hash ?? visit.browserHash };
    await sendSecondFactorCode(deps, call, now, { signIn, kind: strongest });
  }
  return { outcome: "next", browser };
}
