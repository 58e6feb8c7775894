import { nameIdFormats } from "../../base/saml/index.ts";
import { list, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { LogoutOfProvider } from "../identity-provider-client/index.ts";

/** A session here that was opened with a session at a provider. */
interface OpenedSession {
  readonly sessionId: string;
  /** The attempt that the provider answered. */
  readonly intentId: string;
}

interface Meant extends Omit<LogoutOfProvider, "requestId"> {
  readonly identityProviderId: string;
  readonly speaker: string;
}

/**
 * Lists sessions that have not ended and were opened with the sessions at a provider that it names; at most `limit`.
 * They are locked in the order of their ids, so that units which end the same ones do not wait for one another in a
 * circle.
 */
export function holdOpenedSessions(tx: Tx, meant: Meant, limit: number): Promise<OpenedSession[]> {
  const { identityProviderId, speaker, nameId, format, sessionIndexes, issuedAt } = meant;
  const [intent, formatOfName] =
    tx.engine === "postgres"
      ? [text("(s.factors::json ->> 'intentId')"), text("(p.name_id_values::json ->> 'Format')")]
      : [text("(s.factors ->> 'intentId')"), text("(p.name_id_values ->> 'Format')")];
  const { unspecified } = nameIdFormats;
  const inFormat = format === unspecified ? sql`` : sql`and coalesce(${formatOfName}, ${unspecified}) = ${format}`;
  const indexed = sessionIndexes.length === 0 ? sql`` : sql`and p.session_index in ${list(sessionIndexes)}`;
  return tx.all<OpenedSession>(sql`select s.session_id as "sessionId", p.intent_id as "intentId"
    from provider_sessions p
    join sessions s on s.instance_id = ${tx.instanceId} and s.user_id = p.user_id and s.terminated_at is null
      and ${intent} = p.intent_id
    where p.instance_id = ${tx.instanceId} and p.identity_provider_id = ${identityProviderId}
      and p.name_id = ${nameId} and p.speaker = ${speaker} and p.created_at <= ${issuedAt} ${inFormat} ${indexed}
    order by s.session_id limit ${limit} ${rowLock(tx, "alone")}`);
}
