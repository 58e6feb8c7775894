import { seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findOneTimeSecret, type OneTimeSecret } from "../one-time-secret/index.ts";
import type { CodeKind } from "./code-kind.ts";

/** How long pages make users wait before they send another code. */
export const codePause = seconds(30);

/**
 * Returns whether a message with a code is so recent that it stays; not if its code was used, or guessed at too often.
 */
export const isTooSoon = (former: OneTimeSecret | undefined, pause: number, now: number): boolean =>
  former?.bound["by"] === "message" && former.consumedAt === null && former.createdAt + pause > now;

/** Returns the milliseconds until the pages send a user another code of a kind; 0 for at once. */
export async function findCodePause(
  reader: Reader,
  { instanceId, now }: Call,
  { kind, userId }: { readonly kind: CodeKind; readonly userId: string },
): Promise<number> {
  const former = await findOneTimeSecret(reader, instanceId, { kind, subjectId: userId });
  return former !== undefined && isTooSoon(former, codePause, now) ? former.createdAt + codePause - now : 0;
}
