import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import { findUser } from "../user/index.ts";
import { currentRecipient, type SentFactor } from "./add-otp.ts";
import type { FactorCheck, FactorUser } from "./factor.ts";
import { type CheckFactorDeps, checkCodeFactor } from "./guess-factor.ts";

export interface CheckOtp {
  readonly user: FactorUser;
  readonly kind: SentFactor;
  /** The session that the code was sent for. */
  readonly sessionId: string;
  readonly code: string;
}

/** Checks a code that was sent for a session. A right code is consumed. */
export function checkOtp(deps: CheckFactorDeps, call: Call, input: CheckOtp): Promise<FactorCheck> {
  const { user, kind, sessionId, code } = input;
  return checkCodeFactor(deps, call, { user, kind, code }, async (tx) => {
    const secret = { kind: `session_${kind}`, subjectId: sessionId, secret: new Secret(code) } as const;
    const redemption = await redeemOneTimeSecret(tx, secret);
    switch (redemption.outcome) {
      case "redeemed":
        return (await isTheirs(tx, input, redemption.bound)) ? "right" : "wrong";
      case "wrong":
        return "wrong";
      case "absent":
        return "unchallenged";
      default:
        return redemption satisfies never;
    }
  });
}

/** Whether the code was sent to an address or number that is still the user's and verified. */
async function isTheirs(
  tx: Tx,
  { user: { userId }, kind }: CheckOtp,
  bound: Readonly<Record<string, string>>,
): Promise<boolean> {
  const user = bound["userId"] === userId ? await findUser(tx, tx.instanceId, userId) : undefined;
  if (user?.kind !== "human") return false;
  const current = currentRecipient(user, kind);
  return current !== undefined && current === bound["recipient"];
}
