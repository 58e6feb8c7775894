import { hash } from "node:crypto";
import { type Call, guessSourceOf, isLoginClient, namedBrowserOf, requireCaller } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { findPendingByUserCode } from "./device-authorization.store.ts";
import { hashUserCode, readUserCode } from "./user-code.ts";
import { countUserCode, type EnteredCode, forgetUserCode } from "./user-code-attempts.ts";

/**
 * Finds the pending device of a code that a user typed at a sign-in application. Wrong codes count for the address and
 * the browser that the application names, as on our pages; without an address none are counted.
 */
export async function findDeviceForLogin(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly typed: string; readonly fingerprintId: string | undefined },
): Promise<EnteredCode> {
  const { access } = requireCaller(call);
  const code = readUserCode(input.typed);
  const { instanceId } = call;
  const find = async (reader: Reader): Promise<EnteredCode> => {
    if (code === undefined) return { outcome: "wrong" };
    const device = await findPendingByUserCode(reader, instanceId, hashUserCode(code), call.now);
    return device === undefined ? { outcome: "wrong" } : { outcome: "found", device };
  };
  const source = isLoginClient(access) ? guessSourceOf(call) : undefined;
  if (source === undefined) return find(deps.database.read);
  const named = namedBrowserOf(call, input.fingerprintId);
  // Fingerprints are names of one application; hashed, because they may be long.
  const browser = named && `of ${hash("sha256", `${named.creatorId}\n${named.fingerprintId}`, "base64url")}`;
  return deps.database.touch(call, async (tx) => {
    const attempt = { source, browser };
    if (!(await countUserCode(tx, attempt))) return { outcome: "too_many" };
    const entered = await find(tx);
    if (entered.outcome === "found") await forgetUserCode(tx, attempt);
    return entered;
  });
}
