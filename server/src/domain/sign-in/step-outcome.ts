import type { Call } from "../../call/index.ts";
import type { Browser } from "../../web/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import type { Problem, SignIn } from "./state.ts";

/**
 * The outcome of an input. `browser` is the browser with its new secret, to be sent to it; undefined when it keeps its
 * secret.
 */
export type StepOutcome =
  | {
      readonly outcome: "signed_in";
      readonly organizationId: string;
      readonly sessionId: string;
      readonly browser: Browser | undefined;
    }
  | { readonly outcome: "next"; readonly browser: Browser | undefined }
  /** The request no longer belongs to this browser. */
  | { readonly outcome: "gone" };

/** Keeps the attempt in its state and reports the problem. */
export async function stay(
  deps: Pick<SignInDeps, "database">,
  call: Call,
  visit: BrowserVisit,
  { signIn, problem }: { readonly signIn: SignIn; readonly problem: Problem },
): Promise<StepOutcome> {
  await writeSignIn(deps, call, visit, { ...signIn, problem });
  return { outcome: "next", browser: undefined };
}
