import { days, hours, type Instant } from "../../base/clock.ts";
import type { NamedBrowser } from "../../call/index.ts";
import {
  deleteAll,
  type EndedRows,
  list,
  type Reader,
  rowLock,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import type { ExternalSession } from "../identity-provider-client/index.ts";

// Sessions are mostly shorter. A provider that ends one later finds nothing to end.
const lifetime = days(90);
// Longer than anything that began before the end is under way.
const afterEnd = hours(1);

/**
 * A session at a provider with which a user signed in here. A directory has none: the digest of the entered name is
 * kept instead.
 */
export interface ProviderSession extends ExternalSession {
  readonly intentId: string;
  readonly identityProviderId: string;
  readonly speaker: string;
  readonly userId: string | null;
}

interface Row extends Omit<ProviderSession, "nameIdValues"> {
  readonly nameIdValues: string;
}

const columns =
  text(`intent_id as "intentId", identity_provider_id as "identityProviderId", speaker, user_id as "userId",
  name_id as "nameId", name_id_values as "nameIdValues", session_index as "sessionIndex"`);

const toSession = ({ nameIdValues, ...row }: Row): ProviderSession => ({
  ...row,
  nameIdValues: JSON.parse(nameIdValues) as ProviderSession["nameIdValues"],
});

/** Step: writes what a provider said of its session, until the attempt expires. */
export function insertProviderSession(tx: Tx, session: Omit<ProviderSession, "userId">, expiresAt: Instant): void {
  const { intentId, identityProviderId, speaker, nameId, nameIdValues, sessionIndex } = session;
  tx.write(sql`insert into provider_sessions (instance_id, intent_id, identity_provider_id, speaker, name_id,
      name_id_values, session_index, created_at, expires_at)
    values (${tx.instanceId}, ${intentId}, ${identityProviderId}, ${speaker}, ${nameId}, ${JSON.stringify(nameIdValues)},
      ${sessionIndex}, ${tx.now}, ${expiresAt})`);
}

/** Step: writes who signed in with it. */
export function useProviderSession(
  tx: Tx,
  { intentId, userId }: { readonly intentId: string; readonly userId: string },
): void {
  tx.write(sql`update provider_sessions set user_id = ${userId}, expires_at = ${tx.now + lifetime}
    where instance_id = ${tx.instanceId} and intent_id = ${intentId}`);
}

/** Finds the session at a provider with which an attempt was answered. */
export async function findProviderSession(
  reader: Reader,
  instanceId: string,
  intentId: string,
): Promise<ProviderSession | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from provider_sessions
    where instance_id = ${instanceId} and intent_id = ${intentId}`);
  return row && toSession(row);
}

/** A session here, and the attempt whose answer it was opened or renewed with. */
interface Opening {
  readonly intentId: string | undefined;
  readonly sessionId: string;
}

/** Step: writes which session here was opened or renewed with it; nothing where the provider has no sessions. */
export function bindProviderSession(tx: Tx, { intentId, sessionId }: Opening): void {
  if (intentId === undefined) return;
  tx.write(sql`update provider_sessions set session_id = ${sessionId}
    where instance_id = ${tx.instanceId} and intent_id = ${intentId}`);
}

/** Whether the provider has ended the session with which an attempt was answered. */
export async function isProviderSessionOver(reader: Reader, instanceId: string, intentId: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from provider_sessions
    where instance_id = ${instanceId} and intent_id = ${intentId} and ended_at is not null`);
  return row !== undefined;
}

/**
 * Step: the same, and what the provider ends from now on waits for this unit of work, and finds what it wrote.
 */
export async function holdIsProviderSessionOver(tx: Tx, intentId: string): Promise<boolean> {
  const row = await tx.maybe<{ endedAt: Instant | null }>(sql`select ended_at as "endedAt" from provider_sessions
    where instance_id = ${tx.instanceId} and intent_id = ${intentId} ${rowLock(tx, "alone")}`);
  return row !== undefined && row.endedAt !== null;
}

/** A browser of our own pages, or of a sign-in application. */
export type KnownBrowser = { readonly browserHash: string } | NamedBrowser;

const isOfBrowser = (browser: KnownBrowser): Sql =>
  "browserHash" in browser
    ? sql`s.browser_hash = ${browser.browserHash}`
    : sql`s.creator_id = ${browser.creatorId} and s.user_agent_fingerprint = ${browser.fingerprintId}`;

/**
 * Finds the newest session, ended or not, that the right password for a name at a directory opened in a browser. Who
 * signed in there by other means, as the same user, has not shown to know the password of the name.
 */
export async function findSessionOfName(
  reader: Reader,
  instanceId: string,
  named: Pick<ProviderSession, "identityProviderId" | "speaker" | "nameId"> & { readonly browser: KnownBrowser },
  now: Instant,
): Promise<string | undefined> {
  const row = await reader.maybe<{ sessionId: string }>(sql`select s.session_id as "sessionId" from provider_sessions p
    join sessions s on s.instance_id = ${instanceId} and s.session_id = p.session_id
      and ${isOfBrowser(named.browser)}
    where p.instance_id = ${instanceId} and p.identity_provider_id = ${named.identityProviderId}
      and p.name_id = ${named.nameId} and p.speaker = ${named.speaker} and p.expires_at > ${now}
    order by s.session_id desc limit 1`);
  return row?.sessionId;
}

/** What was done with a session at a provider that has ended. */
interface EndedProviderSession {
  /** The user who signed in with it, if any has. */
  readonly userId: string | null;
  /** The session here that was opened with it, if any was. */
  readonly sessionId: string | null;
}

/** Step: marks sessions at a provider as ended; those that were not before are returned. */
export function endProviderSessions(tx: Tx, intentIds: readonly string[]): Promise<EndedProviderSession[]> {
  const until = tx.now + afterEnd;
  return tx.all<EndedProviderSession>(sql`update provider_sessions set ended_at = ${tx.now},
      expires_at = case when expires_at < ${until} then expires_at else ${until} end
    where instance_id = ${tx.instanceId} and intent_id in ${list(intentIds)} and ended_at is null
    returning user_id as "userId", session_id as "sessionId"`);
}

/** Step: deletes what is kept of sessions at a provider that is being deleted. */
export async function deleteSessionsOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}`;
  await deleteAll(tx, { table: text("provider_sessions"), where });
  await deleteAll(tx, { table: text("provider_logouts"), where });
}

/** Step: deletes what is kept of the sessions at providers of users who are being deleted. */
export async function deleteProviderSessionsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  await deleteAll(tx, { table: text("provider_sessions"), where });
}

/** Sessions at providers that expired before the instant. */
export const expiredProviderSessions = (before: number): EndedRows => ({
  table: text("provider_sessions"),
  where: () => sql`expires_at < ${before}`,
});
