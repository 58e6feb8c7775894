import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { ScriptAuthentication } from "../script/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { describeVisit } from "./describe-visit.ts";
import type { Problem } from "./state.ts";

/**
 * Runs the scripts of the user's organization after the user has proven something. Returns the problem when one of them
 * refuses. They do not run after a wrong proof: how long the answer takes would tell whether there is such a user.
 */
export async function runAfterProof(
  { signInScripts }: Pick<SignInDeps, "signInScripts">,
  call: Call,
  visit: BrowserVisit,
  user: {
    readonly userId: string;
    readonly organizationId: string;
    readonly loginName: string;
    readonly method: ScriptAuthentication;
  },
): Promise<Problem | undefined> {
  const { userId, organizationId, method } = user;
  try {
    await signInScripts.afterProof(call, { userId, organizationId, method, input: describeVisit(call, visit, user) });
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || error.id !== "execution.failed") throw error;
    return { id: error.id };
  }
}
