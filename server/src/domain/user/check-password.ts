import { setTimeout as wait } from "node:timers/promises";
import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { PasswordHasher } from "../../base/password-hash.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import {
  findPasswordRow,
  type PasswordRow,
  reserveCheck,
  updateAfterRightCheck,
  updatePasswordBlocked,
} from "./password.store.ts";
import { recordUserEvent } from "./record-user.ts";

export interface CheckPasswordDeps {
  readonly database: Database;
  readonly passwordHasher: PasswordHasher;
  readonly settings: SettingsReader;
}

/**
 * The result of a password check. Nothing is thrown for a wrong password, so that the caller's transaction keeps its
 * writes.
 */
export type PasswordCheckOutcome =
  | {
      readonly outcome: "correct";
      readonly userId: string;
      /** Hash that the password was checked against: it identifies which password was proven. */
      readonly passwordHash: string;
    }
  | { readonly outcome: "wrong"; readonly failedAttempts: number }
  /** Too many wrong guesses; not evaluated. */
  | { readonly outcome: "blocked" }
  /** Unknown, not a person, no password, or a user who may not sign in; not evaluated, but as slow as if it were. */
  | { readonly outcome: "impossible"; readonly reason: "unknown" | "no_password" | "not_active" };

/** NIST SP 800-63B-4 §3.2.2: never more guesses in a row, whatever the settings say. */
const hardMaximum = 100;

// A guess is pending for as long as one hash and a queue take. One that never came back (its process died) counts as
// wrong.
const longestCheck = seconds(30);
const patience = { attempts: 100, milliseconds: 20 } as const;

/**
 * Checks a user's password, for every page and method: one counter serves all. A guess is counted before it is
 * evaluated, so parallel guesses cannot exceed the maximum; the right password resets the counter. Throws the Fault
 * `password.busy`.
 */
export async function checkPassword(
  deps: CheckPasswordDeps,
  call: Call,
  input: { readonly userId: string | undefined; readonly password: string },
): Promise<PasswordCheckOutcome> {
  const first = await checkOnce(deps, call, input);
  if (first !== "changed_meanwhile") return first;
  const second = await checkOnce(deps, call, input);
  if (second !== "changed_meanwhile") return second;
  throw new Fault("aborted", "user.password_changing");
}

async function checkOnce(
  deps: CheckPasswordDeps,
  call: Call,
  { userId, password }: { readonly userId: string | undefined; readonly password: string },
): Promise<PasswordCheckOutcome | "changed_meanwhile"> {
  const row = userId === undefined ? undefined : await findPasswordRow(deps.database.read, call.instanceId, userId);
  const reason = whyImpossible(row);
  if (row === undefined || reason !== undefined) {
    await deps.passwordHasher.verifyDummy(password);
    return { outcome: "impossible", reason: reason ?? "unknown" };
  }
  const maximum = await maximumGuesses(deps, call, row);
  const reserved = await reserve(deps, call, row, maximum);
  if (reserved === "blocked") {
    await deps.passwordHasher.verifyDummy(password);
    return { outcome: "blocked" };
  }
  const { matches, needsRehash } = await deps.passwordHasher.verify(password, reserved.passwordHash);
  if (!matches) return countWrong(deps, call, row, { guess: reserved.guess, maximum });
  const checked = reserved.passwordHash;
  const newer = needsRehash ? await deps.passwordHasher.hash(password) : checked;
  return acceptRight(deps, call, row, { checked, newer });
}

function whyImpossible(row: PasswordRow | undefined): "unknown" | "no_password" | "not_active" | undefined {
  if (row === undefined) return "unknown";
  if (row.organizationState !== "active" || (row.state !== "active" && row.state !== "initial")) return "not_active";
  return row.passwordHash === null ? "no_password" : undefined;
}

async function maximumGuesses(deps: CheckPasswordDeps, call: Call, row: PasswordRow): Promise<number> {
  const { settings } = await deps.settings.get("lockout", {
    instanceId: call.instanceId,
    organizationId: row.organizationId,
    userId: row.userId,
  });
  return settings.maxPasswordAttempts === 0 ? hardMaximum : Math.min(settings.maxPasswordAttempts, hardMaximum);
}

async function reserve(deps: CheckPasswordDeps, call: Call, row: PasswordRow, maximum: number) {
  for (let attempt = 0; attempt < patience.attempts; attempt++) {
    const reserved = await deps.database.touch(call, (tx) => reserveCheck(tx, row.userId, maximum));
    if (reserved !== undefined) return reserved;
    const now = await findPasswordRow(deps.database.read, call.instanceId, row.userId);
    if (now === undefined || whyImpossible(now) !== undefined || now.blockedAt !== null) return "blocked" as const;
    if (now.failedChecks >= maximum && (now.lastCheckAt ?? 0) + longestCheck < call.now) {
      await deps.database.change(call, (tx) => block(tx, row));
      return "blocked" as const;
    }
    // All remaining guesses are being evaluated at this moment; their results decide.
    await wait(patience.milliseconds);
  }
  throw new Fault("resource_exhausted", "password.busy");
}

async function countWrong(
  deps: CheckPasswordDeps,
  call: Call,
  row: PasswordRow,
  { guess, maximum }: { readonly guess: number; readonly maximum: number },
): Promise<PasswordCheckOutcome> {
  await deps.database.change(call, async (tx) => {
    await recordUserEvent(tx, row, { type: "user.password_check.failed", payload: { failedAttempts: guess } });
    if (guess >= maximum) await block(tx, row);
  });
  return { outcome: "wrong", failedAttempts: guess };
}

async function block(tx: Tx, row: PasswordRow): Promise<void> {
  if (await updatePasswordBlocked(tx, row.userId)) await recordUserEvent(tx, row, { type: "user.password.blocked" });
}

async function acceptRight(
  deps: CheckPasswordDeps,
  call: Call,
  row: PasswordRow,
  hashes: { readonly checked: string; readonly newer: string },
): Promise<PasswordCheckOutcome | "changed_meanwhile"> {
  const isAccepted = await deps.database.change(call, async (tx) => {
    if (!(await updateAfterRightCheck(tx, row.userId, hashes))) return false;
    await recordUserEvent(tx, row, { type: "user.password_check.succeeded" });
    return true;
  });
  // Changed, stored in a newer form, or blocked while this guess was evaluated.
  if (!isAccepted) return "changed_meanwhile";
  return { outcome: "correct", userId: row.userId, passwordHash: hashes.newer };
}
