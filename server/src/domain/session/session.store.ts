import { hashSecret } from "../../base/secret.ts";
import { list, performAll, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { type Factors, furtherFactorsOf, type Session, type StayingSession, type UserAgent } from "./session.ts";
import { type SignInDemand, signInDemandColumns } from "./sign-in-demand.store.ts";

/** Columns of a session, as `toSession` reads them. */
export const sessionColumns =
  text(`sessions.session_id as "sessionId", sessions.user_id as "userId", sessions.organization_id as "organizationId",
  sessions.creator_id as "creatorId", sessions.user_checked_at as "userCheckedAt", sessions.password_checked_at as "passwordCheckedAt", sessions.factors, sessions.prepared_by as "preparedBy", sessions.metadata,
  sessions.user_agent as "userAgent", sessions.expires_at as "expiresAt", sessions.terminated_at as "terminatedAt", sessions.sequence,
  sessions.created_at as "createdAt", sessions.changed_at as "changedAt"`);

export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string | null;
  readonly organizationId: string | null;
  readonly creatorId: string;
  readonly userCheckedAt: number | null;
  readonly passwordCheckedAt: number | null;
  readonly factors: string;
  readonly preparedBy: string | null;
  readonly metadata: string;
  readonly userAgent: string;
  readonly expiresAt: number | null;
  readonly terminatedAt: number | null;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toSession(row: SessionRow, instanceId: string): Session {
  const { sequence, createdAt, changedAt } = row;
  return {
    sessionId: row.sessionId,
    userId: row.userId ?? undefined,
    organizationId: row.organizationId ?? undefined,
    creatorId: row.creatorId,
    factors: {
      ...(row.userCheckedAt !== null && { userCheckedAt: row.userCheckedAt }),
      ...(row.passwordCheckedAt !== null && { passwordCheckedAt: row.passwordCheckedAt }),
      ...JSON.parse(row.factors),
      ...(row.preparedBy !== null && { preparedBy: JSON.parse(row.preparedBy) }),
    },
    userAgent: JSON.parse(row.userAgent),
    metadata: JSON.parse(row.metadata),
    createdAt,
    expiresAt: row.expiresAt ?? undefined,
    terminatedAt: row.terminatedAt ?? undefined,
    details: { sequence, createdAt, changedAt, ownerId: row.organizationId ?? instanceId },
  };
}

/** Finds a session in any state. */
export async function findSession(reader: Reader, instanceId: string, sessionId: string): Promise<Session | undefined> {
  const row = await reader.maybe<SessionRow>(sql`select ${sessionColumns} from sessions
    where sessions.instance_id = ${instanceId} and sessions.session_id = ${sessionId}`);
  return row && toSession(row, instanceId);
}

/** Finds a session in any state, locked until the unit of work ends, so that writes build on what was read. */
export async function holdSession(tx: Tx, sessionId: string): Promise<Session | undefined> {
  const row = await tx.maybe<SessionRow>(sql`select ${sessionColumns} from sessions
    where sessions.instance_id = ${tx.instanceId} and sessions.session_id = ${sessionId} ${rowLock(tx, "alone")}`);
  return row && toSession(row, tx.instanceId);
}

/** Finds the session if the token is its newest one: every write creates another. */
export async function findSessionByToken(
  reader: Reader,
  instanceId: string,
  key: { readonly sessionId: string; readonly sessionToken: string },
): Promise<Session | undefined> {
  const row = await reader.maybe<SessionRow>(sql`select ${sessionColumns} from sessions
    where sessions.instance_id = ${instanceId} and sessions.session_id = ${key.sessionId}
      and sessions.token_hash = ${hashSecret(key.sessionToken)}`);
  return row && toSession(row, instanceId);
}

/**
 * Returns whether tokens may still be issued for a session: it was not ended, and its user and the user's organization
 * are active. Its own expiry ends signing in, not what was issued.
 */
export async function isSessionLive(reader: Reader, instanceId: string, sessionId: string): Promise<boolean> {
  return (await reader.maybe(liveSession(instanceId, sql`${sessionId}`))) !== undefined;
}

/**
 * Returns the statement that finds a session for which tokens may still be issued; for use inside of another, too. It
 * has no joins, because without statistics PostgreSQL would rather read all users of a small instance first.
 */
export const liveSession = (instanceId: string, sessionId: Sql): Sql => sql`select 1 as "found" from sessions
    where sessions.instance_id = ${instanceId} and sessions.session_id = ${sessionId} and sessions.terminated_at is null
      and (select (select o.state from organizations o where o.instance_id = ${instanceId} and o.organization_id = u.organization_id)
        from users u where u.instance_id = ${instanceId} and u.user_id = sessions.user_id and u.state = 'active') = 'active'`;

/**
 * Finds the session of a token, or one by its id, live and not expired, of an active user in an active organization,
 * with what the user has to sign in with. One statement, because it runs for every request that carries the token.
 */
export async function findSessionBearer(
  reader: Reader,
  instanceId: string,
  key: { readonly tokenHash: string } | { readonly sessionId: string },
  now: number,
): Promise<{ readonly session: Session; readonly demand: SignInDemand } | undefined> {
  const is =
    "tokenHash" in key ? sql`sessions.token_hash = ${key.tokenHash}` : sql`sessions.session_id = ${key.sessionId}`;
  const row = await reader.maybe<
    SessionRow & SignInDemand
  >(sql`select ${sessionColumns}, ${signInDemandColumns(instanceId)}
    from sessions ${activeUser}
    where sessions.instance_id = ${instanceId} and ${is} and ${usable(now)}`);
  return row && { session: toSession(row, instanceId), demand: row };
}

/** The join that keeps sessions of users who may sign in. */
const activeUser = sql`join users u on u.instance_id = sessions.instance_id and u.user_id = sessions.user_id and u.state = 'active'
    join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id and o.state = 'active'`;

/** Returns the condition that a session was neither ended nor has expired. */
export const usable = (now: number): Sql =>
  sql`sessions.terminated_at is null and (sessions.expires_at is null or sessions.expires_at > ${now})`;

/** Lists the sessions of a user that a caller made by the session API, and that are still good. */
export async function listSessionsByCreator(
  reader: Reader,
  instanceId: string,
  { creatorId, userId, now }: { readonly creatorId: string; readonly userId: string; readonly now: number },
): Promise<Session[]> {
  const rows = await reader.all<SessionRow>(sql`select ${sessionColumns} from sessions ${activeUser}
    where sessions.instance_id = ${instanceId} and sessions.user_id = ${userId} and sessions.creator_id = ${creatorId}
      and ${usable(now)} order by sessions.session_id desc limit 100`);
  return rows.map((row) => toSession(row, instanceId));
}

/**
 * Step: erases what the ended sessions of users who are being deleted say of them; they are kept for a while. Only
 * ended ones, because a session that survives a crash must still record who else could have opened it.
 */
export function eraseSessionsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  return performAll(tx, {
    list: async (own, limit) => {
      const rows = await own.all<{ sessionId: string }>(sql`select session_id as "sessionId" from sessions
        where instance_id = ${own.instanceId} and user_id in ${list(userIds)} and terminated_at is not null
          and (user_agent <> '{}' or metadata <> '{}' or prepared_by is null or prepared_by <> '[]')
        order by session_id limit ${limit} ${rowLock(own, "alone")}`);
      return rows.map(({ sessionId }) => sessionId);
    },
    perform: async (own, sessionIds) => {
      await own.run(sql`update sessions set user_agent = '{}', metadata = '{}', prepared_by = '[]'
        where instance_id = ${own.instanceId} and session_id in ${list(sessionIds)}`);
    },
  });
}

/**
 * Lists sessions of users that were not ended, except the one that stays; at most `limit`. They are locked in the order
 * of their ids, so that units which end the same ones do not wait for one another in a circle.
 */
export async function holdSessionIds(
  tx: Tx,
  { userIds, staying = {} }: { readonly userIds: readonly string[]; readonly staying?: StayingSession },
  limit: number,
): Promise<string[]> {
  const rows = await tx.all<{ sessionId: string }>(sql`select session_id as "sessionId" from sessions
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)} and terminated_at is null
      and session_id <> ${staying.sessionId ?? ""} and (browser_hash is null or browser_hash <> ${staying.browserHash ?? ""})
    order by session_id limit ${limit} ${rowLock(tx, "alone")}`);
  return rows.map(({ sessionId }) => sessionId);
}

export interface NewSessionRow {
  readonly sessionId: string;
  readonly tokenHash: string | undefined;
  readonly browserHash: string | undefined;
  readonly userId: string | undefined;
  readonly organizationId: string | undefined;
  readonly creatorId: string;
  readonly factors: Factors;
  readonly metadata: Readonly<Record<string, string>>;
  readonly userAgent: UserAgent;
  readonly expiresAt: number | undefined;
}

export function insertSession(tx: Tx, session: NewSessionRow): void {
  tx.write(sql`insert into sessions (instance_id, session_id, token_hash, user_id, organization_id, creator_id, browser_hash,
      user_checked_at, password_checked_at, factors, prepared_by, metadata, user_agent, user_agent_fingerprint, expires_at, terminated_at, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${session.sessionId}, ${session.tokenHash}, ${session.userId}, ${session.organizationId},
      ${session.creatorId}, ${session.browserHash}, ${session.factors.userCheckedAt}, ${session.factors.passwordCheckedAt},
      ${JSON.stringify(furtherFactorsOf(session.factors))}, ${JSON.stringify(session.factors.preparedBy ?? [])},
      ${JSON.stringify(session.metadata)}, ${JSON.stringify(session.userAgent)}, ${session.userAgent.fingerprintId},
      ${session.expiresAt}, null, 1, ${tx.now}, ${tx.now})`);
}

export type SessionUpdate = Pick<
  NewSessionRow,
  "sessionId" | "userId" | "organizationId" | "factors" | "metadata" | "expiresAt"
> & { readonly tokenHash: string };

/**
 * Writes factors into a session, with another token: the same statement invalidates the earlier ones. What is undefined
 * stays as it is, but the factors replace those of the session. Nothing is written when the session was ended, has
 * expired, or belongs to another user.
 */
export async function updateSession(tx: Tx, update: SessionUpdate): Promise<Session | undefined> {
  const { userId } = update;
  const sameUser = userId === undefined ? sql`` : sql`and (user_id is null or user_id = ${userId})`;
  const row = await tx.maybe<SessionRow>(sql`update sessions set token_hash = ${update.tokenHash},
      user_id = coalesce(${userId}, user_id), organization_id = coalesce(${update.organizationId}, organization_id),
      user_checked_at = ${update.factors.userCheckedAt}, password_checked_at = ${update.factors.passwordCheckedAt},
      factors = ${JSON.stringify(furtherFactorsOf(update.factors))}, prepared_by = ${formatPreparations(update.factors)},
      metadata = ${JSON.stringify(update.metadata)}, expires_at = coalesce(${update.expiresAt}, expires_at),
      sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and session_id = ${update.sessionId} and ${usable(tx.now)} ${sameUser}
    returning ${sessionColumns}`);
  return row && toSession(row, tx.instanceId);
}

/** Returns what an existing session depends on as it is stored; null as long as that is not known. */
export const formatPreparations = ({ preparedBy }: Factors): string | null =>
  preparedBy === undefined ? null : JSON.stringify(preparedBy);

/** Lists sessions of a user that were not ended; at most `limit`. */
export async function listLiveSessions(
  reader: Reader,
  instanceId: string,
  { userId, limit }: { readonly userId: string; readonly limit: number },
): Promise<Session[]> {
  const rows = await reader.all<SessionRow>(sql`select ${sessionColumns} from sessions
    where sessions.instance_id = ${instanceId} and sessions.user_id = ${userId} and sessions.terminated_at is null
    order by sessions.session_id limit ${limit}`);
  return rows.map((row) => toSession(row, instanceId));
}

/** Ends sessions, only those of a browser where one is named. Returns those that had not ended, by their ids. */
export async function markSessionsTerminated(
  tx: Tx,
  { sessionIds, browserHash }: { readonly sessionIds: readonly string[]; readonly browserHash?: string },
): Promise<Session[]> {
  const inBrowser = browserHash === undefined ? sql`` : sql`and browser_hash = ${browserHash}`;
  const rows = await tx.all<SessionRow>(sql`update sessions set terminated_at = ${tx.now}, sequence = sequence + 1,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and session_id in ${list(sessionIds)} ${inBrowser} and terminated_at is null
    returning ${sessionColumns}`);
  return rows.map((row) => toSession(row, tx.instanceId)).toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}
