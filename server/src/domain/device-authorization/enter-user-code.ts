import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { bindBrowser } from "./device-authorization.store.ts";
import { sourceOf } from "./source-of.ts";
import { hashUserCode, readUserCode } from "./user-code.ts";
import { countUserCode, type EnteredCode, forgetUserCode } from "./user-code-attempts.ts";

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
    const typed = { source: sourceOf(input.clientAddress), browser: input.browserHash };
    if (!(await countUserCode(tx, typed))) return { outcome: "too_many" };
    if (code === undefined) return { outcome: "wrong" };
    const device = await bindBrowser(tx, { userCodeHash: hashUserCode(code), browserHash: input.browserHash });
    if (device === undefined) return { outcome: "wrong" };
    await forgetUserCode(tx, typed);
    return { outcome: "found", device };
  });
}
