import type { Call } from "../../call/index.ts";
import { type BrowserVisit, endOf, keyOf, putSignIn, type SignIn } from "../sign-in/index.ts";
import { checkNewPerson } from "../user-management/index.ts";
import { findNameHolder } from "./find-name-holder.ts";
import type { SignUpDeps } from "./make-account.ts";
import { openSignUp } from "./pending-sign-up.ts";
import { sendSignUpMessage } from "./send-sign-up-message.ts";

/**
 * Sends the message of an account that waits again, unless the last one to the address is too recent. Reveals nothing
 * to the browser.
 */
export async function resendSignUpMessage(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { at, signInAddress }: { readonly at: SignIn; readonly signInAddress: string },
): Promise<void> {
  const pending = openSignUp(deps, call, at);
  if (pending === undefined) return;
  const { organizationId, givenName, familyName, email } = pending;
  const { key: addressKey } = checkNewPerson({ email, profile: { givenName, familyName } }).email;
  const holder = await findNameHolder(deps.database.read, call.instanceId, { organizationId, nameKey: addressKey });
  const wayEnd = endOf(visit, call);
  await deps.database.touch(call, async (tx) => {
    // The problem with the former code does not apply to the new one.
    await putSignIn(tx, keyOf(visit), { ...at, problem: undefined }, wayEnd);
    await sendSignUpMessage(tx, deps, { pending, addressKey, holder, wayEnd, signInAddress });
  });
}
