import { hours } from "../../base/clock.ts";
import type { NamedBrowser } from "../../call/index.ts";
import { type Reader, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { formatPreparations, type SessionRow, sessionColumns, toSession, usable } from "./session.store.ts";
import { type BrowserAccount, type Factors, furtherFactorsOf, type Session, type StayingSession } from "./session.ts";

// Organizations are read as values: without statistics a plan of a further join would begin with all of the instance.
const joinedUser = text("join users u on u.instance_id = sessions.instance_id and u.user_id = sessions.user_id");
const ofOrganization = (instanceId: string, column: "state" | "name"): Sql =>
  sql`(select o.${text(column)} from organizations o where o.instance_id = ${instanceId} and o.organization_id = u.organization_id)`;
const isActive = (instanceId: string): Sql =>
  sql`u.state = 'active' and ${ofOrganization(instanceId, "state")} = 'active'`;

/** Lists sessions of a browser that can sign in now: live, not expired, user and organization active; newest first. */
export async function listBrowserSessions(
  reader: Reader,
  instanceId: string,
  browserHash: string,
  now: number,
): Promise<Session[]> {
  const rows = await reader.all<SessionRow>(sql`select ${sessionColumns} from sessions ${joinedUser}
    where ${isActive(instanceId)} and sessions.instance_id = ${instanceId} and sessions.browser_hash = ${browserHash} and ${usable(now)}
    order by sessions.changed_at desc, sessions.session_id desc limit 50`);
  return rows.map((row) => toSession(row, instanceId));
}

interface AccountRow extends SessionRow {
  readonly loginName: string;
  readonly displayName: string;
  readonly organizationName: string;
  readonly avatarFile: string | null;
}

const accountColumns = (
  instanceId: string,
): Sql => sql`u.preferred_login_name as "loginName", u.display_name as "displayName",
  u.avatar_file as "avatarFile", ${ofOrganization(instanceId, "name")} as "organizationName"`;

/**
 * Lists the sessions of a browser as its users see them, expired ones included, so that signing in again takes one
 * step.
 */
export async function listBrowserAccounts(
  reader: Reader,
  instanceId: string,
  browserHash: string,
): Promise<BrowserAccount[]> {
  const rows =
    await reader.all<AccountRow>(sql`select ${sessionColumns}, ${accountColumns(instanceId)} from sessions ${joinedUser}
    where ${isActive(instanceId)} and sessions.instance_id = ${instanceId} and sessions.browser_hash = ${browserHash} and sessions.terminated_at is null
    order by sessions.changed_at desc, sessions.session_id desc limit 50`);
  return rows.map((row) => toAccount(row, instanceId));
}

/** Lists accounts whose sessions in this browser were ended since the instant, in whatever state the user is now. */
export async function listEndedAccounts(
  reader: Reader,
  instanceId: string,
  key: { readonly browserHash: string; readonly since: number },
): Promise<BrowserAccount[]> {
  const rows =
    await reader.all<AccountRow>(sql`select ${sessionColumns}, ${accountColumns(instanceId)} from sessions ${joinedUser}
    where sessions.instance_id = ${instanceId} and sessions.browser_hash = ${key.browserHash} and sessions.terminated_at >= ${key.since}
    order by sessions.terminated_at desc, sessions.session_id desc limit 50`);
  return rows.map((row) => toAccount(row, instanceId));
}

/** Whether a session is that of a user in a browser, ended or not. */
export async function isSessionOfBrowser(
  reader: Reader,
  instanceId: string,
  key: { readonly sessionId: string; readonly userId: string; readonly browserHash: string },
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from sessions
    where instance_id = ${instanceId} and session_id = ${key.sessionId} and user_id = ${key.userId}
      and browser_hash = ${key.browserHash}`);
  return row !== undefined;
}

/** Finds the session that a user has in a browser, if it was not ended; expired or not. */
export async function findSessionInBrowser(
  tx: Tx,
  key: { readonly browserHash: string; readonly userId: string },
): Promise<Session | undefined> {
  const row = await tx.maybe<SessionRow>(sql`select ${sessionColumns} from sessions
    where instance_id = ${tx.instanceId} and browser_hash = ${key.browserHash} and user_id = ${key.userId} and terminated_at is null
    order by changed_at desc, session_id desc limit 1`);
  return row && toSession(row, tx.instanceId);
}

/**
 * Writes a new sign-in over the former one in the session of a user in a browser. Returns undefined when the session
 * was ended meanwhile.
 */
export async function renewBrowserSession(
  tx: Tx,
  key: {
    readonly sessionId: string;
    readonly factors: Factors;
    readonly expiresAt: number;
    readonly userAgent: string;
  },
): Promise<Session | undefined> {
  const row = await tx.maybe<SessionRow>(sql`update sessions set user_checked_at = ${key.factors.userCheckedAt},
      password_checked_at = ${key.factors.passwordCheckedAt}, factors = ${JSON.stringify(furtherFactorsOf(key.factors))},
      prepared_by = ${formatPreparations(key.factors)}, expires_at = ${key.expiresAt}, user_agent = ${key.userAgent}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and session_id = ${key.sessionId} and terminated_at is null
    returning ${sessionColumns}`);
  return row && toSession(row, tx.instanceId);
}

// All but the browser is kept from indexes: SQLite would read all sessions of the instance in the order of their ids,
// or all of the user, until one is in the browser.
const newestFirst = text("(created_at + 0) desc, (session_id || '') desc");

/**
 * Finds the newest session that a user has had in a browser, also one that was ended or has expired. It tells that the
 * user signed in there before, and stays the same when other users sign in there, which gives the browser another
 * secret.
 */
export async function findSessionOfUserIn(
  reader: Reader,
  instanceId: string,
  key: { readonly browserHash: string; readonly userId: string },
): Promise<string | undefined> {
  const row = await reader.maybe<{ sessionId: string }>(sql`select session_id as "sessionId" from sessions
    where instance_id = ${instanceId} and browser_hash = ${key.browserHash} and (user_id || '') = ${key.userId}
    order by ${newestFirst} limit 1`);
  return row?.sessionId;
}

/**
 * Finds the newest session that a sign-in application made for a user in a browser, as it names browsers, and in which
 * the user entered the right password, also one that was ended or has expired.
 */
export async function findSessionOfUserAt(
  reader: Reader,
  instanceId: string,
  key: NamedBrowser & { readonly userId: string },
): Promise<string | undefined> {
  const row = await reader.maybe<{ sessionId: string }>(sql`select session_id as "sessionId" from sessions
    where instance_id = ${instanceId} and user_agent_fingerprint = ${key.fingerprintId} and (user_id || '') = ${key.userId}
      and (creator_id || '') = ${key.creatorId} and password_checked_at is not null
    order by ${newestFirst} limit 1`);
  return row?.sessionId;
}

/**
 * Step: forgets which browsers a user signed in with before, except that of a session which stays, and one that they
 * act in. The sessions in the others must have ended.
 */
export async function forgetBrowsersOfUser(
  tx: Tx,
  userId: string,
  { sessionId = "", browserHash = "" }: StayingSession = {},
): Promise<void> {
  await tx.run(sql`update sessions set browser_hash = null, user_agent_fingerprint = null
    where instance_id = ${tx.instanceId} and user_id = ${userId} and session_id <> ${sessionId}
      and (browser_hash <> ${browserHash} or (browser_hash is null and user_agent_fingerprint is not null))`);
}

// Of a browser: pages list as many.
const mostOfBrowser = 50;

/**
 * Step: moves the newest sessions of a browser to its new secret, live ones before those that have just ended, which
 * the user may be looking at. More live ones are in no browser from then on, so the former secret opens none.
 */
export async function moveBrowserSessions(
  tx: Tx,
  browser: { readonly from: string; readonly to: string },
): Promise<void> {
  const inBrowser = sql`instance_id = ${tx.instanceId} and browser_hash = ${browser.from}`;
  await tx.run(sql`update sessions set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and session_id in (select session_id from sessions
      where ${inBrowser} and (terminated_at is null or terminated_at > ${tx.now - hours(1)})
      order by case when terminated_at is null then 0 else 1 end, session_id desc limit ${mostOfBrowser})`);
  await tx.run(sql`update sessions set browser_hash = null where ${inBrowser} and terminated_at is null`);
}

/** Step: moves the sessions of one user from a browser to another browser of the same user. */
export async function moveSessionsOfUser(
  tx: Tx,
  browser: { readonly from: string; readonly to: string },
  userId: string,
): Promise<void> {
  await tx.run(sql`update sessions set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from} and user_id = ${userId} and terminated_at is null`);
}

function toAccount(row: AccountRow, instanceId: string): BrowserAccount {
  const { loginName, displayName, organizationName, avatarFile } = row;
  return { session: toSession(row, instanceId), loginName, displayName, organizationName, avatarFile };
}
