import { requireCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";

/** Dependencies of everything that gives a user roles. */
export interface GainDeps {
  /**
   * Step of a later module (`sign-out`): ends the sessions of a user, with what was issued from them, that an administrator
   * who holds less than the user does by now could have opened.
   */
  readonly endPreparedSessions: (tx: Tx, userId: string) => Promise<void>;
}

/**
 * Step: follows the roles that a user was just given. Callers who appoint themselves held before all that they gave, so
 * their sessions gain nothing.
 */
export async function followGain(tx: Tx, { endPreparedSessions }: GainDeps, userId: string): Promise<void> {
  if (requireCaller(tx.call).userId !== userId) await endPreparedSessions(tx, userId);
}
