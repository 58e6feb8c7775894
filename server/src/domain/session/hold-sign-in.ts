import { type Instant, minutes } from "../../base/clock.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { hasGainedSince } from "../administrator-access/index.ts";
import { holdIsProviderSessionOver, isProviderSessionOver } from "../identity-provider-intent/index.ts";
import { findSignInEpoch, holdSignInEpoch } from "../user/index.ts";
import { isProviderOffered, withoutProvider } from "./allowed-factors.ts";
import { hasFirstFactor } from "./authentication.ts";
import { isGoodSignIn } from "./preparations.ts";
import type { Factors, SessionUser } from "./session.ts";

/**
 * Allowance for clock differences between two nodes and for the time that an appointment takes. A link is weighed
 * whenever it is used, so this asks no more of a sign-in at a provider than the next one is asked for.
 */
const slack = minutes(1);

/** A sign-in that established who the user is, and what was checked in it. */
export interface EstablishedSignIn extends SessionUser {
  readonly factors: Factors;
  /** The sign-in epoch of the user from before the first check. */
  readonly signInEpoch: number;
  /** Whether a provider's answer was used in this request: its link and its provider were asked for then. */
  readonly usesAnswer?: boolean | undefined;
}

/**
 * Step: whether a sign-in may still open a session, in the unit of work that writes it; see `isStillGoodSignIn`. The
 * user is held, so neither an appointment nor what ends their sign-ins comes between: it sees the session or is seen.
 */
export async function holdSignIn(tx: Tx, signIn: EstablishedSignIn): Promise<boolean> {
  if ((await holdSignInEpoch(tx, signIn.userId)) !== signIn.signInEpoch) return false;
  const { intentId } = signIn.factors;
  if (intentId !== undefined && (await holdIsProviderSessionOver(tx, intentId))) return false;
  return isWeighedGood(tx, { instanceId: tx.instanceId, now: tx.now }, signIn);
}

/**
 * Returns whether a sign-in still gives no more than it was weighed for. What ends the sessions of the user ended it as
 * well, and the provider that it rests on must still sign the user in. A user who was appointed since it was checked is
 * not signed in through anything that an administrator with fewer rights prepared.
 */
export async function isStillGoodSignIn(
  reader: Reader,
  at: { readonly instanceId: string; readonly now: Instant },
  signIn: EstablishedSignIn,
): Promise<boolean> {
  if ((await findSignInEpoch(reader, at.instanceId, signIn.userId)) !== signIn.signInEpoch) return false;
  const { intentId } = signIn.factors;
  if (intentId !== undefined && (await isProviderSessionOver(reader, at.instanceId, intentId))) return false;
  return isWeighedGood(reader, at, signIn);
}

/**
 * Returns what was proven in a sign-in that goes on: without the word of a provider that counts no longer, where
 * another first factor was proven. A word that nothing depends on ends no sign-in, and nothing depends on it later.
 */
export async function withoutLostWord(
  reader: Reader,
  instanceId: string,
  { userId, organizationId, factors }: SessionUser & { readonly factors: Factors },
): Promise<Factors> {
  const others = withoutProvider(factors);
  if (factors.intentCheckedAt === undefined || !hasFirstFactor({ factors: others })) return factors;
  const { intentId } = factors;
  if (intentId !== undefined && (await isProviderSessionOver(reader, instanceId, intentId))) return others;
  return (await isProviderOffered(reader, { instanceId, organizationId, userId }, factors)) ? factors : others;
}

async function isWeighedGood(
  reader: Reader,
  { instanceId, now }: { readonly instanceId: string; readonly now: Instant },
  { signInEpoch: _, usesAnswer = false, ...signIn }: EstablishedSignIn,
): Promise<boolean> {
  const { userId, organizationId, factors } = signIn;
  const { preparedBy = [] } = factors;
  if (preparedBy.length === 0) return true;
  const isFormer = factors.intentCheckedAt !== undefined && !usesAnswer;
  if (isFormer && !(await isProviderOffered(reader, { instanceId, organizationId, userId }, factors))) return false;
  const { passwordCheckedAt = now, intentCheckedAt = now + slack, webAuthNCheckedAt = now } = factors;
  const since = Math.min(passwordCheckedAt, intentCheckedAt - slack, webAuthNCheckedAt);
  if (!(await hasGainedSince(reader, instanceId, { userId, since }))) return true;
  return isGoodSignIn(reader, instanceId, signIn);
}
