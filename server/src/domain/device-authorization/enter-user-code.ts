import { sharesOf } from "../../base/budget/network-of.ts";
import { minutes } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { countAttempt, forgetAttempt } from "./device-attempt.store.ts";
import { bindBrowser } from "./device-authorization.store.ts";
import type { DeviceAuthorization } from "./device-authorization.ts";
import { sourceOf } from "./source-of.ts";
import { hashUserCode, readUserCode } from "./user-code.ts";

/** `too_many`: the code was not evaluated. `wrong`: no pending device has this code; the reason is not disclosed. */
export type EnteredCode =
  | { readonly outcome: "found"; readonly device: DeviceAuthorization }
  | { readonly outcome: "wrong" | "too_many" };

// RFC 8628 §5.1: with 34 bits and a lifetime of minutes, so few wrong codes make guessing hopeless. Many people may
// share an address, so a browser is allowed less than its address; a right code is not counted.
const mostOfBrowser = 10;
const mostOfAddress = 50;
const window = minutes(10);

/**
 * Takes the code that a user typed, and binds the device to the browser: a browser in which the code was not typed
 * cannot decide about the device (CVE-2026-45337). Wrong codes count for the browser, its address and its block; a
 * right one sets no count back, because attackers can obtain codes of their own.
 */
export function enterUserCode(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly typed: string; readonly browserHash: string; readonly clientAddress: string },
): Promise<EnteredCode> {
  const code = readUserCode(input.typed);
  return deps.database.touch(call, async (tx) => {
    const shares = sharesOf(sourceOf(input.clientAddress)).map(({ of, times }) => ({ source: `type ${of}`, times }));
    const ofBrowser = `type in ${input.browserHash}`;
    if ((await countAttempt(tx, { source: ofBrowser, window })) > mostOfBrowser) return { outcome: "too_many" };
    for (const { source, times } of shares) {
      if ((await countAttempt(tx, { source, window })) > mostOfAddress * times) return { outcome: "too_many" };
    }
    if (code === undefined) return { outcome: "wrong" };
    const device = await bindBrowser(tx, { userCodeHash: hashUserCode(code), browserHash: input.browserHash });
    if (device === undefined) return { outcome: "wrong" };
    for (const source of [ofBrowser, ...shares.map((share) => share.source)]) await forgetAttempt(tx, source);
    return { outcome: "found", device };
  });
}
