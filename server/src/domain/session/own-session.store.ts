import { type Reader, sql } from "../../database/index.ts";
import { type SessionRow, sessionColumns, toSession, usable } from "./session.store.ts";
import type { ReadSession } from "./session-list.store.ts";

interface Row extends SessionRow {
  readonly loginName: string;
  readonly displayName: string;
  readonly avatarFile: string | null;
}

/** A session of a user with what the user recognizes it by. */
export interface OwnSession extends ReadSession {
  /** Name of the file of the user's picture. */
  readonly avatarFile: string | null;
}

/** Lists the newest sessions of a user in the browser or device of one of them; null is equal to nothing. */
export async function listSessionsBeside(
  reader: Reader,
  instanceId: string,
  wanted: { readonly userId: string; readonly sessionId: string; readonly now: number; readonly limit: number },
): Promise<OwnSession[]> {
  const rows = await reader.all<Row>(sql`select ${sessionColumns}, u.preferred_login_name as "loginName",
      u.display_name as "displayName", u.avatar_file as "avatarFile"
    from sessions join users u on u.instance_id = sessions.instance_id and u.user_id = sessions.user_id
    where sessions.instance_id = ${instanceId} and sessions.user_id = ${wanted.userId} and ${usable(wanted.now)}
      and exists (select 1 from sessions own where own.instance_id = ${instanceId}
        and own.session_id = ${wanted.sessionId} and (own.session_id = sessions.session_id
          or own.browser_hash = sessions.browser_hash
          or own.user_agent_fingerprint = sessions.user_agent_fingerprint))
    order by sessions.changed_at desc, sessions.session_id desc limit ${wanted.limit}`);
  return rows.map((row) => ({
    session: toSession(row, instanceId),
    loginName: row.loginName,
    displayName: row.displayName,
    avatarFile: row.avatarFile,
  }));
}

/** Returns when a user last entered the password in a session that still exists; undefined when there is none. */
export async function findLastSignIn(reader: Reader, instanceId: string, userId: string): Promise<number | undefined> {
  const row = await reader.maybe<{ at: number | null }>(sql`select max(password_checked_at) as "at" from sessions
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return row?.at ?? undefined;
}
