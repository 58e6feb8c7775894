import { hours, minutes, seconds } from "../../base/clock.ts";

/**
 * For how long a password is not checked after a number of wrong guesses in a row, from any source. The delay grows, so
 * that a hundred guesses take hours (NIST SP 800-63B-4 §3.2.2), and it ends by itself, so that no stranger locks a user
 * out for good.
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
