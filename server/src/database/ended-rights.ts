import { type Call, type EndedOfCaller, nothingEnded } from "../call/index.ts";
import type { Tx } from "./database.ts";

/** What units ended of their own caller. */
const ended = new WeakMap<Tx, EndedOfCaller>();

/** What a unit ended: users, or positions of users. */
interface Ended {
  readonly userIds?: readonly string[];
  readonly positions?: readonly (EndedOfCaller["positions"][number] & { readonly userId: string })[];
}

/**
 * Step: notes what a unit ended, so that a change goes on to its end although a batch of it took what its own caller
 * acts by: owners delete the project that makes them owners. What the caller has besides is confirmed as before. The
 * credential that was presented is ended by no batch (`performAll`), because nothing could say then what else has ended
 * it since. Users who delete themselves are confirmed no longer.
 */
export function noteEnded(tx: Tx, { userIds = [], positions = [] }: Ended): void {
  const { caller } = tx.call;
  if (caller === undefined) return;
  const { userId, importer } = caller;
  const isCaller = (id: string): boolean => id === userId || id === importer?.userId;
  ended.set(
    tx,
    joinEnded(endedByUnit(tx), {
      isGone: userIds.some(isCaller),
      positions: positions.filter((position) => isCaller(position.userId)),
    }),
  );
}

/** What a unit ended of its own caller. */
export const endedByUnit = (tx: Tx): EndedOfCaller => ended.get(tx) ?? nothingEnded;

/** Returns what was ended by one and by another. */
export const joinEnded = (one: EndedOfCaller, other: EndedOfCaller): EndedOfCaller => ({
  isGone: one.isGone || other.isGone,
  positions: [...one.positions, ...other.positions],
});

/** Asks whether the caller of a call may still do what they could, apart from what the call itself ended. */
export type Confirm = NonNullable<Call["confirm"]>;
