import { sharesOf } from "../../base/budget/network-of.ts";
import { minutes } from "../../base/clock.ts";
import type { Tx } from "../../database/index.ts";
import { countAttempt, forgetAttempt } from "./device-attempt.store.ts";
import type { DeviceAuthorization } from "./device-authorization.ts";

/** `too_many`: the code was not evaluated. `wrong`: no pending device has this code; the reason is not disclosed. */
export type EnteredCode =
  | { readonly outcome: "found"; readonly device: DeviceAuthorization }
  | { readonly outcome: "wrong" | "too_many" };

/** From where a code was typed: a source (`sourceOf`), and the browser if it is known. */
interface Typed {
  readonly source: string;
  readonly browser: string | undefined;
}

// RFC 8628 §5.1: with 34 bits and a lifetime of minutes, so few wrong codes make guessing hopeless. Many people may
// share an address, so a browser is allowed less than its address.
const mostOfBrowser = 10;
const mostOfAddress = 50;
const window = minutes(10);

/** Step: counts a typed code for its browser, its source and its block. Returns false when there were too many. */
export async function countUserCode(tx: Tx, typed: Typed): Promise<boolean> {
  for (const { source, most } of countsOf(typed)) {
    if ((await countAttempt(tx, { source, window })) > most) return false;
  }
  return true;
}

/** Step: takes a typed code out of the counts, because it was right; no count is set back. */
export async function forgetUserCode(tx: Tx, typed: Typed): Promise<void> {
  for (const { source } of countsOf(typed)) await forgetAttempt(tx, source);
}

const countsOf = ({ source, browser }: Typed) => [
  ...(browser === undefined ? [] : [{ source: `type in ${browser}`, most: mostOfBrowser }]),
  ...sharesOf(source).map(({ of, times }) => ({ source: `type ${of}`, most: mostOfAddress * times })),
];
