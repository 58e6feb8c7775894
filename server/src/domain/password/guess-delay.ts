import { hours, minutes, seconds } from "../../base/clock.ts";

/**
 * How long a password rests after so many wrong guesses in a row, from wherever they came. It grows, so that a hundred
 * guesses take hours (NIST SP 800-63B-4 §3.2.2), and it ends by itself, so that a stranger locks out no user for good.
 */
export const guessDelays = [
  { failures: 100, milliseconds: hours(1) },
  { failures: 75, milliseconds: minutes(15) },
  { failures: 50, milliseconds: minutes(5) },
  { failures: 30, milliseconds: minutes(1) },
  { failures: 20, milliseconds: seconds(5) },
] as const;

/** Returns the milliseconds that have to lie between the last guess and the next one. */
export const delayAfter = (failures: number): number =>
  guessDelays.find((delay) => failures >= delay.failures)?.milliseconds ?? 0;
