import type { Tx } from "../../database/index.ts";
import { type CodeName, readCodeFormat } from "../settings/index.ts";
import { forgetGuesses, giveBackGuess, takeGuess } from "./guess-budget.ts";
import { findOneTimeSecret } from "./one-time-secret.store.ts";
import type { OneTimeSecretKind } from "./one-time-secret.ts";

/** After this many wrong guesses a secret is invalid, and a new one has to be requested. */
const mostGuesses = 5;

// Pages for these codes name their user, so a stranger who knows the user could invalidate them with a few guesses.
const named: ReadonlySet<OneTimeSecretKind> = new Set<CodeName & OneTimeSecretKind>([
  "initialization",
  "invitation",
  "email_verification",
  "phone_verification",
  "password_reset",
  "passkey_registration",
]);

// With this many possible codes, a hundred guesses of many sources are as hopeless as five are with eight digits.
const manyPossibilities = 2 ** 28;
const mostGuessesOfAll = 100;

interface SecretSubject {
  readonly kind: OneTimeSecretKind;
  readonly subjectId: string;
}

/** What one evaluation said of a guess; undefined when there is no secret that could still be redeemed. */
type Evaluate<Found> = (maximumFailedAttempts: number) => Promise<Found | undefined>;

/**
 * Step: evaluates a guess unless its source has guessed too often at this secret. Each source has five guesses in ten
 * minutes at a code of a link; other sources can continue, including the holder of the right code.
 */
export async function guardGuess<Found>(
  tx: Tx,
  subject: SecretSubject,
  { evaluate, isRight }: { readonly evaluate: Evaluate<Found>; readonly isRight: (found: Found) => boolean },
): Promise<Found | "wrong" | undefined> {
  if (!isCodeOfLink(subject.kind)) return evaluate(mostGuesses);
  const former = await findOneTimeSecret(tx, tx.instanceId, subject);
  if (former === undefined || former.consumedAt !== null || former.expiresAt <= tx.now) return undefined;
  const taken = await takeGuess(tx, subject);
  if (taken === "refused") return undefined;
  const { alphabet, length } = await readCodeFormat(tx, tx.instanceId, subject.kind);
  const isStrong = alphabet.length ** length >= manyPossibilities;
  const found = await evaluate(isStrong ? mostGuessesOfAll : mostGuesses);
  // Redeemed by another request a moment ago: what was taken is a write, so this guess counts.
  if (found === undefined) return taken === "counted" ? "wrong" : undefined;
  if (isRight(found)) await giveBackGuess(tx, subject);
  return found;
}

/** Step: lets every source guess again, because there is a new code. */
export async function renewGuesses(tx: Tx, subject: SecretSubject): Promise<void> {
  if (isCodeOfLink(subject.kind)) await forgetGuesses(tx, subject);
}

const isCodeOfLink = (kind: OneTimeSecretKind): kind is CodeName & OneTimeSecretKind => named.has(kind);
