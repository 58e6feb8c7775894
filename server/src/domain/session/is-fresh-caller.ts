import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { type SettingsReader, settingsReaderOf } from "../settings/index.ts";
import { freshForChange } from "../user/index.ts";
import { checkedSince } from "./is-freshly-signed-in.ts";
import { isEnough } from "./is-signed-in.ts";
import { withoutReturnedCodes } from "./proven-factors.ts";
import { findSession } from "./session.store.ts";
import { findSignInDemand } from "./sign-in-demand.store.ts";

/**
 * Returns whether the caller proved everything that they have to sign in with within the last minutes, in the session
 * of their token. A token without a session proves nothing about now.
 */
export async function isFreshCaller(
  reader: Reader,
  call: Call,
  settings: SettingsReader = settingsReaderOf(reader),
): Promise<boolean> {
  const { userId, sessionId } = requireCaller(call);
  const session = sessionId === undefined ? undefined : await findSession(reader, call.instanceId, sessionId);
  if (session?.userId !== userId || session.terminatedAt !== undefined) return false;
  const demand = await findSignInDemand(reader, call.instanceId, userId);
  const factors = checkedSince(withoutReturnedCodes(session.factors), call.now - freshForChange);
  return (
    demand !== undefined && isEnough({ database: { read: reader }, settings }, call, { ...session, factors }, demand)
  );
}
