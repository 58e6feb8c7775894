import { days, type Instant } from "../../base/clock.ts";
import { deleteAll, type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { ExternalSession } from "../identity-provider-client/index.ts";

// Sessions are mostly shorter. A provider that ends one later finds nothing to end.
const lifetime = days(90);

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

/** Whether a browser is one in which a user signed in before who has signed in by a name at a directory. */
export async function isBrowserOfProviderName(
  reader: Reader,
  instanceId: string,
  named: Pick<ProviderSession, "identityProviderId" | "speaker" | "nameId"> & { readonly browserHash: string },
  now: Instant,
): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from provider_sessions p
    join sessions s on s.instance_id = ${instanceId} and s.browser_hash = ${named.browserHash} and s.user_id = p.user_id
    where p.instance_id = ${instanceId} and p.identity_provider_id = ${named.identityProviderId}
      and p.name_id = ${named.nameId} and p.speaker = ${named.speaker} and p.expires_at > ${now} limit 1`);
  return row !== undefined;
}

/** Step: deletes sessions at providers that have ended. */
export async function deleteProviderSessions(tx: Tx, intentIds: readonly string[]): Promise<void> {
  if (intentIds.length === 0) return;
  await tx.run(sql`delete from provider_sessions
    where instance_id = ${tx.instanceId} and intent_id in ${list(intentIds)}`);
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
