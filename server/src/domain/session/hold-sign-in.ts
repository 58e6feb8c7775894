import { minutes } from "../../base/clock.ts";
import { passwordProofOf } from "../../base/password/password-proof.ts";
import type { Tx } from "../../database/index.ts";
import { hasGainedSince, holdPositions } from "../administrator-access/index.ts";
import { holdPassword } from "../password/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { isGoodSignIn } from "./preparations.ts";
import type { Factors } from "./session.ts";

/**
 * Allowance for clock differences between two nodes and for the time that an appointment takes. A link is weighed
 * whenever it is used, so this asks no more of a sign-in at a provider than the next one is asked for.
 */
const slack = minutes(1);

/**
 * Step: whether a sign-in still gives no more than it was weighed for, in the unit of work that writes its session. A
 * user who was appointed since it was checked is not signed in through anything that an administrator with fewer rights
 * prepared: earlier sessions ended for the same reason. The user's positions stay as they are until the unit of work
 * ends; also where the settings of the organization let the user in, because those of the instance end such a session
 * with an appointment, which sees it only when it comes after the session. A password that was proven is still the one
 * of the user, and stays it until then: its replacement ended the sessions that there were.
 */
export async function holdSignIn(
  tx: Tx,
  deps: { readonly settings: SettingsReader },
  signIn: { readonly userId: string; readonly organizationId: string; readonly factors: Factors },
): Promise<boolean> {
  const { userId, organizationId, factors } = signIn;
  const isPrepared = factors.preparedBy !== undefined && factors.preparedBy.length > 0;
  if (factors.passwordProof !== undefined) {
    // Holds the user as `holdPositions` does.
    const passwordHash = await holdPassword(tx, userId);
    if (passwordHash === undefined || passwordProofOf(passwordHash) !== factors.passwordProof) return false;
  } else if (isPrepared || (await hasOwnSettings(tx, deps, organizationId))) {
    await holdPositions(tx, userId);
  }
  if (!isPrepared) return true;
  const { passwordCheckedAt = tx.now, intentCheckedAt = tx.now + slack, webAuthNCheckedAt = tx.now } = factors;
  const since = Math.min(passwordCheckedAt, intentCheckedAt - slack, webAuthNCheckedAt);
  if (!(await hasGainedSince(tx, tx.instanceId, { userId, since }))) return true;
  return isGoodSignIn(tx, tx.instanceId, signIn);
}

async function hasOwnSettings(
  { instanceId }: Tx,
  { settings }: { readonly settings: SettingsReader },
  organizationId: string,
): Promise<boolean> {
  return (await settings.get("login", { instanceId, organizationId })).source === "organization";
}
