import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type CodeDeps, languageOf } from "../contact/index.ts";
import type { SignalDeps } from "../notification/index.ts";
import { findOneTimeSecret, generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, requireHuman, writeOwnCredential } from "../user/index.ts";
import { type SentFactor, verifiedRecipient } from "./add-otp.ts";
import { hasFactorOfKind } from "./factor.store.ts";
import { enrolmentOf, pauseAfter } from "./otp-enrolment.ts";
import { queueOtp } from "./queue-otp.ts";

/**
 * Starts enabling codes by email or SMS: sends one to the verified address or number of the user. Entering it enables
 * the factor (`confirmOtp`), because an address or number that was verified long ago may no longer reach the user. A
 * code that was sent just now stays. Returns whether a code is outstanding; that is not so when the user has the
 * factor.
 */
export async function startOtp(
  deps: AuthorizeDeps & CodeDeps & SignalDeps & { readonly database: Database },
  call: Call,
  { userId, kind }: { readonly userId: string; readonly kind: SentFactor },
): Promise<boolean> {
  // Nothing of the user changes before the code is entered.
  const isWaiting = await deps.database.touch(call, async (tx) => {
    // Locked, so that of two concurrent requests the second sees what the first has sent.
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    const recipient = verifiedRecipient(user, kind);
    if (await hasFactorOfKind(tx, userId, kind)) return false;
    const subject = enrolmentOf(userId, kind);
    const former = await findOneTimeSecret(tx, tx.instanceId, subject);
    if (former?.bound["recipient"] === recipient && pauseAfter(former, tx.now) > 0) return true;
    const format = await readCodeFormat(tx, tx.instanceId, kind);
    const code = generateCode(deps.random, format);
    const { lifetimeSeconds } = format;
    const { expiresAt } = await putOneTimeSecret(tx, {
      ...subject,
      secret: code,
      bound: { recipient },
      lifetimeSeconds,
    });
    const language = await languageOf(tx, user);
    await queueOtp(tx, deps, { user, kind, subjectId: userId, recipient, language, code, expiresAt });
    return true;
  });
  deps.messageQueued.give();
  return isWaiting;
}
