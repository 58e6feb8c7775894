import type { Call } from "../../call/index.ts";
import { type SentFactor, startOtp } from "../factor/index.ts";
import { type AddSecondFactorDeps, toPerson } from "./add-second-factor.ts";
import { type BrowserVisit, writeSignIn } from "./browser-visit.ts";
import type { SignIn } from "./state.ts";

/** Sends the code that shows that codes arrive; the factor is on once it has come back. One that was sent just now stays. */
export async function sendFirstCode(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { at, kind }: { readonly at: SignIn; readonly kind: SentFactor },
): Promise<void> {
  const asPerson = await toPerson(deps, call, visit, { at, kind });
  await startOtp(deps, asPerson, { userId: asPerson.caller.userId, kind });
  // What was wrong with the code before is not wrong with the new one.
  if (at.problem !== undefined) await writeSignIn(deps, call, visit, { ...at, problem: undefined });
}
