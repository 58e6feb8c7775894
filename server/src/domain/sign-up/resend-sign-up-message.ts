import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { type BrowserVisit, endOf, keyOf, putSignIn, type SignIn, stay } from "../sign-in/index.ts";
import { checkNewPerson } from "../user-management/index.ts";
import { findNameHolder } from "./find-name-holder.ts";
import type { SignUpDeps } from "./make-account.ts";
import { openSignUp } from "./pending-sign-up.ts";
import { sendSignUpMessage } from "./send-sign-up-message.ts";

/**
 * Sends the message of an account that waits again, unless the last one to the address is too recent. `refused`: the
 * source itself has asked for too many, which the attempt then says. Reveals nothing else to the browser.
 */
export async function resendSignUpMessage(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, signInAddress }: { readonly signIn: SignIn; readonly signInAddress: string },
): Promise<"asked" | "refused"> {
  const pending = openSignUp(deps, call, signIn);
  if (pending === undefined) return "asked";
  const { organizationId, givenName, familyName, email } = pending;
  const { key: addressKey } = checkNewPerson({ email, profile: { givenName, familyName } }).email;
  const holder = await findNameHolder(deps.database.read, call.instanceId, deps, {
    organizationId,
    nameKey: addressKey,
  });
  const attemptEnd = endOf(visit, call);
  try {
    await deps.database.touch(call, async (tx) => {
      // The problem with the former code does not apply to the new one.
      await putSignIn(tx, keyOf(visit), { ...signIn, problem: undefined }, attemptEnd);
      await sendSignUpMessage(tx, deps, { pending, addressKey, holder, attemptEnd, signInAddress });
    });
    return "asked";
  } catch (error) {
    if (!(error instanceof Fault) || error.id !== "message.too_many") throw error;
    await stay(deps, call, visit, { signIn, problem: { id: error.id, values: error.values } });
    return "refused";
  }
}
