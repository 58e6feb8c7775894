import { type Instant, seconds } from "../../base/clock.ts";
import type { Reader } from "../../database/index.ts";
import { findEndOfSignIns } from "../user/index.ts";

/**
 * Allowance for clock differences between two nodes, and for the time that ending takes: an answer given this soon
 * afterwards is refused like one from before, and the user signs in at the provider once more.
 */
export const answerSlack = seconds(5);

/**
 * Returns whether a provider's answer ended with the sign-ins of a user that were under way (`endSignInsOfUsers`): it
 * was given before. Whose sign-in it is was not known then, so it has no epoch of its own.
 */
export async function isAnswerOver(
  reader: Reader,
  instanceId: string,
  { userId, answeredAt }: { readonly userId: string; readonly answeredAt: Instant },
): Promise<boolean> {
  const endedAt = await findEndOfSignIns(reader, instanceId, userId);
  return endedAt !== undefined && answeredAt < endedAt + answerSlack;
}
