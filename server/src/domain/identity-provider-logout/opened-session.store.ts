import { nameIdFormats } from "../../base/saml/index.ts";
import { list, sql, type Tx, text } from "../../database/index.ts";
import type { LogoutOfProvider } from "../identity-provider-client/index.ts";

interface Meant extends Omit<LogoutOfProvider, "requestId"> {
  readonly identityProviderId: string;
}

/**
 * Lists the attempts that a provider answered with the sessions that it names, and that have not ended; at most
 * `limit`. Whether anything was opened with them, or their answer still waits, does not matter. Nor do the keys of then
 * (`speaker`): a provider that has new ones still ends what it began with the former.
 */
export async function listAnsweredIntents(tx: Tx, meant: Meant, limit: number): Promise<string[]> {
  const { identityProviderId, nameId, format, sessionIndexes, issuedBy } = meant;
  const formatOfName =
    tx.engine === "postgres" ? text("(p.name_id_values::json ->> 'Format')") : text("(p.name_id_values ->> 'Format')");
  const { unspecified } = nameIdFormats;
  const inFormat = format === unspecified ? sql`` : sql`and coalesce(${formatOfName}, ${unspecified}) = ${format}`;
  const indexed = sessionIndexes.length === 0 ? sql`` : sql`and p.session_index in ${list(sessionIndexes)}`;
  const rows = await tx.all<{ intentId: string }>(sql`select p.intent_id as "intentId" from provider_sessions p
    where p.instance_id = ${tx.instanceId} and p.identity_provider_id = ${identityProviderId}
      and p.name_id = ${nameId} and p.created_at <= ${issuedBy} and p.ended_at is null ${inFormat} ${indexed}
    order by p.intent_id limit ${limit}`);
  return rows.map(({ intentId }) => intentId);
}
