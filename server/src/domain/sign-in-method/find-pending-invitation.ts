import type { Instant } from "../../base/clock.ts";
import type { Reader } from "../../database/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import type { HumanUser } from "../user/index.ts";

/** An invitation to set up an account, not accepted so far. */
export interface PendingInvitation {
  readonly createdAt: Instant;
  /** It may have passed. */
  readonly expiresAt: Instant;
  /** Whether the code was returned to the caller who asked for it, and not sent. */
  readonly isReturned: boolean;
}

/**
 * Returns the invitation that a user has not accepted, also an expired one as long as it is known: the one of version
 * 2, or the message of version 1 for an account that is yet to be set up.
 */
export async function findPendingInvitation(
  reader: Reader,
  instanceId: string,
  { userId: subjectId, state }: HumanUser,
): Promise<PendingInvitation | undefined> {
  const kind = state === "initial" ? "initialization" : "invitation";
  const found = await findOneTimeSecret(reader, instanceId, { kind, subjectId });
  if (found === undefined || found.consumedAt !== null) return undefined;
  const { createdAt, expiresAt, bound } = found;
  return { createdAt, expiresAt, isReturned: bound["by"] === "return" };
}
