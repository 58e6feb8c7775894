import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { holdAppointee } from "../administrator-access/index.ts";

/** The session that a gain does not end. */
interface KeptSession {
  readonly sessionId?: string | undefined;
}

/** Dependencies of everything that gives a user roles. */
export interface GainDeps {
  /**
   * Step of a later module (`sign-out`): ends the sessions of a user, with what was issued from them, that an
   * administrator who holds less than the user does now could have opened, except the kept one.
   */
  readonly endPreparedSessions: (tx: Tx, userId: string, kept?: KeptSession) => Promise<void>;
}

/**
 * Step: follows the roles that a user was just given. The user is locked, so that sessions that are being opened
 * meanwhile are seen, or see the roles. Callers who give themselves roles already hold the permissions for it, so their
 * session gains nothing new.
 */
export async function followGain(tx: Tx, { endPreparedSessions }: GainDeps, userId: string): Promise<void> {
  await holdAppointee(tx, userId);
  await endPreparedSessions(tx, userId, keptBy(tx.call, userId));
}

function keptBy(call: Call, userId: string): KeptSession {
  return call.caller?.userId === userId ? { sessionId: call.caller.sessionId } : {};
}
