import type { Tx } from "../../database/index.ts";
import type { EventType } from "../../event/index.ts";
import { type FormerEmail, tellOfChange } from "./account-notice.ts";
import { notFound } from "./authorize-user.ts";
import { bumpUserSequence } from "./user.store.ts";
import { userAggregate } from "./user.ts";

/** Types of the events of users; the compiler requires that each is listed. */
export type UserEventType = Extract<EventType, `user.${string}`>;

/** What is recorded of a user. */
interface UserEvent {
  readonly type: UserEventType;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The address that the change takes away: the user is told there. */
  readonly formerEmail?: FormerEmail | undefined;
  /** Whether the user is told although the account is being made. */
  readonly isToldToNewcomer?: boolean;
}

/**
 * Counts and records a change of something that belongs to a user (a key, a code …), which shares the user's sequence.
 * Returns the sequence. The user is told of changes to what they sign in with.
 */
export async function recordUserEvent(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  { formerEmail, isToldToNewcomer = false, ...event }: UserEvent,
): Promise<number> {
  const isChange = !/[_.]check[.]|[.]impersonated$|[.]imperson(?:ation|ator)[.]/.test(event.type);
  const sequence = await bumpUserSequence(tx, user.userId, isChange);
  if (sequence === undefined) throw notFound();
  tx.record({ ...userAggregate(user), sequence, ...event });
  await tellOfChange(tx, user, { type: event.type, sequence, formerEmail, isToldToNewcomer });
  return sequence;
}
