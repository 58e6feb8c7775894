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

/**
 * Decides whether a guess is right. An implementation that returns `right` has consumed the proof with its own
 * statement.
 */
export type Evaluate = (tx: Tx, factor: HeldFactor) => Promise<"right" | "wrong" | "unchallenged">;

/** NIST SP 800-63B-4 §3.2.2: the limit of consecutive wrong guesses, whatever the settings say. */
const hardMaximum = 100;

/** Returns how many consecutive wrong codes block a factor, in the organization of the user. */
export async function maximumGuesses(
  { settings }: Pick<CheckFactorDeps, "settings">,
  { instanceId }: Call,
  { organizationId, userId }: FactorUser,
): Promise<number> {
  const { maxOtpAttempts } = (await settings.get("lockout", { instanceId, organizationId, userId })).settings;
  return maxOtpAttempts === 0 ? hardMaximum : Math.min(maxOtpAttempts, hardMaximum);
}

/** Whether no code was entered; such an input is never counted as a guess. */
export const isBlank = (code: string): boolean => code.trim() === "";

/** Checks a factor that can be guessed. All such checks share one counter, which a right code resets. */
export async function checkCodeFactor(
  deps: CheckFactorDeps,
  call: Call,
  { user, kind, code }: { readonly user: FactorUser; readonly kind: CodeFactor; readonly code: string },
  evaluate: Evaluate,
): Promise<FactorCheck> {
  if (isBlank(code)) return { outcome: "missing" };
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

/** Step: evaluates a guess at a locked factor, and counts it. */
export async function guessHeldFactor(
  tx: Tx,
  { user, factor, maximum }: Guess,
  evaluate: Evaluate,
): Promise<FactorCheck> {
  const { kind } = factor;
  if (factor.blockedAt !== null) return { outcome: "blocked", blockedBy: maximum };
  const found = await evaluate(tx, factor);
  if (found === "unchallenged") return { outcome: "unchallenged" };
  if (found === "right") {
    await forgetFailedChecks(tx, user.userId, kind);
    await recordUserEvent(tx, user, { type: `user.${kind}_check.succeeded` });
    return { outcome: "correct" };
  }
  const counted = await countFailedCheck(tx, user.userId, { kind, maximum });
  if (counted === undefined) return { outcome: "blocked", blockedBy: maximum };
  const { failedChecks: failedAttempts, isBlocked } = counted;
  await recordUserEvent(tx, user, { type: `user.${kind}_check.failed`, payload: { failedAttempts } });
  if (isBlocked === 1) await recordUserEvent(tx, user, { type: `user.${kind}.blocked` });
  return { outcome: "wrong", failedAttempts, ...(isBlocked === 1 && { blockedBy: maximum }) };
}
