import { setTimeout as wait } from "node:timers/promises";
import type { Budgets } from "../../base/budget/budgets.ts";
import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { PasswordHasher } from "../../base/password/password-hash.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { readAuthorOfCredential, recordUserEvent, type SuspensionDeps } from "../user/index.ts";
import { delayAfter } from "./guess-delay.ts";
import { createThrottle } from "./guess-throttle.ts";
import {
  findPasswordRow,
  type PasswordRow,
  reserveCheck,
  updateAfterRightCheck,
  updatePasswordBlocked,
} from "./password.store.ts";
import { payForHash } from "./pay-for-hash.ts";
import { raiseImportedCost } from "./raise-imported-cost.ts";

export interface CheckPasswordDeps extends SuspensionDeps {
  readonly database: Database;
  readonly passwordHasher: PasswordHasher;
  readonly settings: SettingsReader;
  readonly budgets: Budgets;
}

export interface CheckPassword {
  readonly userId: string | undefined;
  readonly password: string;
  /** The name that was typed, where users are known by it; guesses at it count, whether a user has it or not. */
  readonly loginName?: string;
  /** The session of this user in the browser, or what else is theirs. Guesses of strangers do not slow it down. */
  readonly knownBy?: string | undefined;
  /**
   * On pages, where strangers type names: the organization on whose account the password is checked, as the request
   * tells it, or an empty id. Not that of the user who was found: how long a check waits in a full queue would tell
   * whether there is one. Absent where the caller knows the user; then it is the user's.
   */
  readonly payingOrganizationId?: string;
  /** Name of the field with the password, for the refusal of an empty one. */
  readonly field: string;
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
      /** The sign-in epoch of the user from before the check: a password that is replaced meanwhile ends it. */
      readonly signInEpoch: number;
      /** The administrator who knows the password; empty where the user alone does. */
      readonly author: string;
    }
  /** Right, and no longer good for what the user gained since it was set (`isCredentialSuspended`). */
  | { readonly outcome: "suspended" }
  /** `blockedBy`: it was one too many, by this number of the settings. */
  | { readonly outcome: "wrong"; readonly failedAttempts: number; readonly blockedBy?: number | undefined }
  /** Too many wrong guesses, by this number of the settings; not evaluated. */
  | { readonly outcome: "blocked"; readonly blockedBy?: number | undefined }
  /** Wrong guesses came too fast, from all sources together; not evaluated. */
  | { readonly outcome: "resting"; readonly seconds: number }
  /** Unknown, a service account, no password, or not allowed to sign in; not evaluated, but as slow as if it were. */
  | { readonly outcome: "impossible"; readonly reason: "unknown" | "no_password" | "not_active" };

// A guess is pending for as long as one hash and a queue take. One that never came back (its process died) counts as
// wrong.
const longestCheck = seconds(30);
const longestHash = seconds(2);
const patience = { attempts: 100, pending: 15, milliseconds: 20 } as const;

/**
 * Checks a user's password, for every page and method: one counter serves all. A guess is counted before it is
 * evaluated, so parallel guesses cannot exceed the maximum; the right password resets the counter. An empty password is
 * a missing field and does not count as a guess. Throws the Faults `sign_in.password_missing`, `password.busy` and,
 * when the wrong guesses of this source come too fast, `password.throttled`.
 */
export async function checkPassword(
  deps: CheckPasswordDeps,
  call: Call,
  input: CheckPassword,
): Promise<PasswordCheckOutcome> {
  if (input.password === "") throw new Fault("invalid_argument", "sign_in.password_missing", { field: input.field });
  const first = await checkOnce(deps, call, input);
  if (first !== "changed_meanwhile") return first;
  const second = await checkOnce(deps, call, input);
  if (second !== "changed_meanwhile") return second;
  throw new Fault("aborted", "user.password_changing");
}

async function checkOnce(
  deps: CheckPasswordDeps,
  call: Call,
  input: CheckPassword,
): Promise<PasswordCheckOutcome | "changed_meanwhile"> {
  const { userId, password } = input;
  const row = userId === undefined ? undefined : await findPasswordRow(deps.database.read, call.instanceId, userId);
  const reason = whyImpossible(row);
  const paying = input.payingOrganizationId ?? row?.organizationId ?? "";
  const slow = <Result>(work: () => Result): Result => payForHash(call, paying, work);
  const throttle = createThrottle(deps, call, { ...input, passwordChangedAt: row?.passwordChangedAt });
  const tooEarly = await throttle.enter(() => slow(() => deps.passwordHasher.verifyDummy(password)));
  if (tooEarly > 0) {
    await slow(() => deps.passwordHasher.verifyDummy(password));
    throttle.wrong();
    return { outcome: "resting", seconds: Math.ceil(tooEarly / 1000) };
  }
  if (row === undefined || reason !== undefined) {
    await slow(() => deps.passwordHasher.verifyDummy(password));
    throttle.wrong();
    return { outcome: "impossible", reason: reason ?? "unknown" };
  }
  const maximum = await maximumGuesses(deps, call, row);
  const isUnhurried = input.knownBy === undefined;
  const reserved = await reserve(deps, call, row, { maximum, isUnhurried });
  if (reserved === "blocked" || typeof reserved === "number") {
    await slow(() => deps.passwordHasher.verifyDummy(password));
    // On pages, guesses at a blocked user are throttled like guesses at an unknown name.
    if (input.loginName !== undefined) throttle.wrong();
    return reserved === "blocked"
      ? { outcome: reserved, blockedBy: maximum }
      : { outcome: "resting", seconds: Math.ceil(reserved / 1000) };
  }
  await raiseImportedCost(deps, call, reserved.passwordHash);
  const { matches, needsRehash } = await slow(() => deps.passwordHasher.verify(password, reserved.passwordHash));
  if (!matches) {
    throttle.wrong();
    return countWrong(deps, call, row, { guess: reserved.guess, maximum });
  }
  throttle.right();
  const checked = reserved.passwordHash;
  const newer = needsRehash ? await slow(() => deps.passwordHasher.hash(password)) : checked;
  return acceptRight(deps, call, row, { checked, newer });
}

/**
 * A guess that was evaluated is settled whatever became of the rights of the caller meanwhile: a wrong one counts, and
 * a right one does not. What the caller does with it is another change, which is confirmed.
 */
function settling({ confirm: _, ...call }: Call): Call {
  return call;
}

function whyImpossible(row: PasswordRow | undefined): "unknown" | "no_password" | "not_active" | undefined {
  if (row === undefined) return "unknown";
  if (row.organizationState !== "active" || (row.state !== "active" && row.state !== "initial")) return "not_active";
  return row.passwordHash === null ? "no_password" : undefined;
}

/** Returns how many wrong guesses in a row block the password; undefined where an administrator has set no number. */
async function maximumGuesses(deps: CheckPasswordDeps, call: Call, row: PasswordRow): Promise<number | undefined> {
  const { settings } = await deps.settings.get("lockout", {
    instanceId: call.instanceId,
    organizationId: row.organizationId,
    userId: row.userId,
  });
  return settings.maxPasswordAttempts === 0 ? undefined : settings.maxPasswordAttempts;
}

interface Rules {
  readonly maximum: number | undefined;
  readonly isUnhurried: boolean;
}

/** Returns the reserved guess, or the milliseconds until the next guess is evaluated. */
async function reserve(deps: CheckPasswordDeps, call: Call, row: PasswordRow, rules: Rules) {
  const { maximum = Number.POSITIVE_INFINITY } = rules;
  for (let attempt = 0; attempt < patience.attempts; attempt++) {
    const reserved = await deps.database.touch(call, (tx) => reserveCheck(tx, row.userId, rules));
    if (reserved !== undefined) return reserved;
    const now = await findPasswordRow(deps.database.read, call.instanceId, row.userId);
    if (now === undefined || whyImpossible(now) !== undefined || now.blockedAt !== null) return "blocked" as const;
    if (now.failedChecks >= maximum && (now.lastCheckAt ?? 0) + longestCheck < call.now) {
      await deps.database.change(settling(call), (tx) => block(tx, row));
      return "blocked" as const;
    }
    const rest = (now.lastCheckAt ?? 0) + delayAfter(now.failedChecks) - call.now;
    // Guesses that are being evaluated at this moment may turn out to be right.
    const mayBePending = attempt < patience.pending && (now.lastCheckAt ?? 0) + longestHash > call.now;
    if (now.failedChecks < maximum && rest > 0 && !mayBePending) return rest;
    // All remaining guesses are being evaluated at this moment; their results decide.
    await wait(patience.milliseconds);
  }
  throw new Fault("resource_exhausted", "password.busy");
}

async function countWrong(
  deps: CheckPasswordDeps,
  call: Call,
  row: PasswordRow,
  { guess, maximum = Number.POSITIVE_INFINITY }: { readonly guess: number; readonly maximum: number | undefined },
): Promise<PasswordCheckOutcome> {
  await deps.database.change(settling(call), async (tx) => {
    await recordUserEvent(tx, row, { type: "user.password_check.failed", payload: { failedAttempts: guess } });
    if (guess >= maximum) await block(tx, row);
  });
  // It counts. A caller whose rights have ended does not learn of it, as they would be refused with a right one.
  await call.confirm?.();
  return { outcome: "wrong", failedAttempts: guess, ...(guess >= maximum && { blockedBy: maximum }) };
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
  const isAccepted = await deps.database.change(settling(call), async (tx) => {
    if (!(await updateAfterRightCheck(tx, row.userId, hashes))) return false;
    await recordUserEvent(tx, row, { type: "user.password_check.succeeded" });
    return true;
  });
  // Changed, stored in a newer form, or blocked while this guess was evaluated.
  if (!isAccepted) return "changed_meanwhile";
  const { userId, organizationId, passwordAuthor, passwordChangedAt: madeAt } = row;
  const author = readAuthorOfCredential(passwordAuthor, organizationId);
  // After the count was reset: what appoints the user was committed before, or is seen by the unit of the session.
  if (await deps.isCredentialSuspended(deps.database.read, call.instanceId, { userId, author, madeAt })) {
    return { outcome: "suspended" };
  }
  return { outcome: "correct", userId, passwordHash: hashes.newer, signInEpoch: row.signInEpoch, author };
}
