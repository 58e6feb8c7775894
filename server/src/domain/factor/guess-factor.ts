import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { countFailedCheck, forgetFailedChecks, holdFactor } from "./factor.store.ts";
import type { CodeFactor, FactorCheck, FactorUser, HeldFactor } from "./factor.ts";

export interface CheckFactorDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/** Whether a guess is right. Whoever answers `right` has used the proof up, by a statement of its own. */
export type Evaluate = (tx: Tx, factor: HeldFactor) => Promise<"right" | "wrong" | "unchallenged">;

/** NIST SP 800-63B-4 §3.2.2: whatever the settings say, never more guesses in a row. */
const hardMaximum = 100;

/** How many wrong codes in a row block a factor, in the organization of the user. */
export async function maximumGuesses(
  { settings }: Pick<CheckFactorDeps, "settings">,
  { instanceId }: Call,
  { organizationId }: FactorUser,
): Promise<number> {
  const { maxOtpAttempts } = (await settings.get("lockout", { instanceId, organizationId })).settings;
  return maxOtpAttempts === 0 ? hardMaximum : Math.min(maxOtpAttempts, hardMaximum);
}

/** Checks a factor that is guessed at, for everything that does: one counter serves all, and the right code sets it back. */
export async function checkCodeFactor(
  deps: CheckFactorDeps,
  call: Call,
  { user, kind }: { readonly user: FactorUser; readonly kind: CodeFactor },
  evaluate: Evaluate,
): Promise<FactorCheck> {
  const maximum = await maximumGuesses(deps, call, user);
  return deps.database.change(call, async (tx) => {
    const factor = await holdFactor(tx, user.userId, kind);
    if (factor?.state !== "ready") return { outcome: "absent" };
    return guessHeldFactor(tx, { user, factor: { ...factor, kind }, maximum }, evaluate);
  });
}

interface Guess {
  readonly user: FactorUser;
  readonly factor: HeldFactor & { readonly kind: CodeFactor };
  readonly maximum: number;
}

/** Step: evaluates a guess at a factor that is held, and counts it. */
export async function guessHeldFactor(
  tx: Tx,
  { user, factor, maximum }: Guess,
  evaluate: Evaluate,
): Promise<FactorCheck> {
  const { kind } = factor;
  if (factor.blockedAt !== null) return { outcome: "blocked" };
  const found = await evaluate(tx, factor);
  if (found === "unchallenged") return { outcome: "unchallenged" };
  if (found === "right") {
    await forgetFailedChecks(tx, user.userId, kind);
    await recordUserEvent(tx, user, { type: `user.${kind}_check.succeeded` });
    return { outcome: "correct" };
  }
  const counted = await countFailedCheck(tx, user.userId, { kind, maximum });
  if (counted === undefined) return { outcome: "blocked" };
  const { failedChecks: failedAttempts, isBlocked } = counted;
  await recordUserEvent(tx, user, { type: `user.${kind}_check.failed`, payload: { failedAttempts } });
  if (isBlocked === 1) await recordUserEvent(tx, user, { type: `user.${kind}.blocked` });
  return { outcome: "wrong", failedAttempts };
}
