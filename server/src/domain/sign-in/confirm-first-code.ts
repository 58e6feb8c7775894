import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { confirmOtp, type SentFactor } from "../factor/index.ts";
import type { Factors } from "../session/index.ts";
import { type AddSecondFactorDeps, type FactorAdded, makeRecoveryCodes, toPerson } from "./add-second-factor.ts";
import type { BrowserVisit } from "./browser-visit.ts";
import { proceedWithSetUp } from "./proceed-with-set-up.ts";
import type { Problem, SignIn } from "./state.ts";

export interface FirstCode {
  readonly signIn: SignIn;
  readonly kind: SentFactor;
  readonly code: string;
}

/**
 * Activates codes that are sent as a factor with the first code, which also counts as a check of the second factor, and
 * continues. `refused`: nothing was activated. Throws the Faults of a user who cannot add the factor.
 */
export async function confirmFirstCode(
  deps: AddSecondFactorDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, kind, code }: FirstCode,
): Promise<FactorAdded | { readonly outcome: "refused"; readonly problem: Problem }> {
  const { own, person } = await toPerson(deps, call, visit, { signIn, kind });
  const { userId } = person.caller;
  const goOn = async (checked: Factors, recoveryCodes?: readonly Secret[]): Promise<FactorAdded> => {
    const outcome = await proceedWithSetUp(deps, call, visit, { signIn, user: person.caller, checked });
    return { outcome, recoveryCodes };
  };
  const confirmation = await confirmOtp(own, person, { userId, kind, code });
  switch (confirmation) {
    case "confirmed": {
      const checked = kind === "otp_email" ? { otpEmailCheckedAt: call.now } : { otpSmsCheckedAt: call.now };
      return goOn(checked, await makeRecoveryCodes(own, person, visit));
    }
    case "present":
      return goOn({});
    case "wrong":
      return { outcome: "refused", problem: { field: "code", id: "sign_in.wrong_code" } };
    case "unchallenged":
      return { outcome: "refused", problem: { field: "code", id: "sign_in.code_too_old" } };
    default:
      return confirmation satisfies never;
  }
}
