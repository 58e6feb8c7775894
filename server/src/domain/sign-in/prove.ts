import type { Call } from "../../call/index.ts";
import { type Browser, newBrowser } from "../../web/index.ts";
import { passwordLifetime } from "../session/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { putSignIn } from "./sign-in.store.ts";
import { signIn } from "./sign-in.ts";
import type { Problem, SignIn } from "./state.ts";
import { takeBrowser } from "./take-browser.ts";

/** How a step ended that asked for a password. `browser` is the browser with its new secret, to be sent to it. */
export type StepOutcome =
  | {
      readonly outcome: "signed_in";
      readonly organizationId: string;
      readonly sessionId: string;
      readonly browser: Browser;
    }
  | { readonly outcome: "next"; readonly browser: Browser | undefined }
  /** The request is not this browser's any more. */
  | { readonly outcome: "gone" };

/** Whose password was proven. */
export interface Proven {
  readonly userId: string;
  readonly organizationId: string;
}

/** Signs the browser in: the password was right and nothing is left to be done. */
export async function signInProven(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  proven: Proven,
): Promise<StepOutcome> {
  const browser = newBrowser(deps.random);
  const lifetime = await passwordLifetime(deps, call, proven.organizationId);
  const signedIn = await deps.database.change(call, (tx) =>
    signIn(tx, deps, {
      ...proven,
      authRequestId: visit.authRequest?.authRequestId,
      browser: { from: visit.browserHash, to: browser.hash },
      userAgent: visit.userAgent,
      expiresAt: call.now + lifetime,
    }),
  );
  if (signedIn === undefined) return { outcome: "gone" };
  return { outcome: "signed_in", browser, organizationId: proven.organizationId, sessionId: signedIn.sessionId };
}

/** Leads on to a further step after a password was proven. The browser gets another secret here as well. */
export async function leadOn(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  next: SignIn & { readonly userId: string },
): Promise<StepOutcome> {
  const browser = newBrowser(deps.random);
  const { authRequestId } = keyOf(visit);
  const isTaken = await deps.database.touch(call, async (tx) => {
    const hashes = { from: visit.browserHash, to: browser.hash };
    if (!(await takeBrowser(tx, { browser: hashes, authRequestId, userId: next.userId }))) return false;
    await putSignIn(tx, { browserHash: browser.hash, authRequestId }, next, endOf(visit, call));
    return true;
  });
  return isTaken ? { outcome: "next", browser } : { outcome: "gone" };
}

/** Stays at the step and says why. */
export async function stay(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { at, problem }: { readonly at: SignIn; readonly problem: Problem },
): Promise<StepOutcome> {
  await writeSignIn(deps, call, visit, { ...at, problem });
  return { outcome: "next", browser: undefined };
}
