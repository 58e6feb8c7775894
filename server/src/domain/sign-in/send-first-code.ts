import type { Call } from "../../call/index.ts";
import { type SentFactor, startOtp } from "../factor/index.ts";
import { type AddSecondFactorDeps, toPerson } from "./add-second-factor.ts";
import { type BrowserVisit, writeSignIn } from "./browser-visit.ts";
import type { SignIn } from "./state.ts";

/**
 * Sends the code that shows that messages reach the user; entering it activates the factor. A code that was sent just
 * now stays.
 */
export async function sendFirstCode(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, kind }: { readonly signIn: SignIn; readonly kind: SentFactor },
): Promise<void> {
  const { own, person } = await toPerson(deps, call, visit, { signIn, kind });
  await startOtp(own, person, { userId: person.caller.userId, kind });
  // The problem with the former code does not apply to the new one.
  if (signIn.problem !== undefined) await writeSignIn(deps, call, visit, { ...signIn, problem: undefined });
}
