import { list, type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { BuiltInTextKind } from "./message-text.ts";

export interface StoredMessageText {
  /** Empty for the texts of the instance. */
  readonly organizationId: string;
  /** JSON object of the parts that are set. */
  readonly parts: string;
  /** What the administrator who set it held then (`formatAuthor`). */
  readonly author: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface MessageTextKey {
  /** Empty for the texts of the instance. */
  readonly organizationId: string;
  readonly kind: BuiltInTextKind;
  readonly language: string;
}

const columns = text(`organization_id as "organizationId", parts, author, sequence, created_at as "createdAt",
  changed_at as "changedAt"`);

/** Lists the texts that the instance and, if one is named, the organization set in a language. */
export function listStoredMessageTexts(
  reader: Reader,
  instanceId: string,
  { organizationId, kind, language }: MessageTextKey,
): Promise<StoredMessageText[]> {
  return reader.all<StoredMessageText>(sql`select ${columns} from message_texts
    where instance_id = ${instanceId} and organization_id in ${list(["", organizationId])} and kind = ${kind}
      and language = ${language}`);
}

/** Returns the text that an organization or the instance sets itself, locked until the unit of work ends. */
export function lockStoredMessageText(tx: Tx, key: MessageTextKey): Promise<StoredMessageText | undefined> {
  return tx.maybe<StoredMessageText>(sql`select ${columns} from message_texts
    where instance_id = ${tx.instanceId} and organization_id = ${key.organizationId} and kind = ${key.kind}
      and language = ${key.language} ${rowLock(tx, "alone")}`);
}

export async function putStoredMessageText(
  tx: Tx,
  row: MessageTextKey & Pick<StoredMessageText, "parts" | "author" | "sequence">,
): Promise<StoredMessageText> {
  const stored = await tx.maybe<StoredMessageText>(sql`insert into message_texts (instance_id, organization_id, kind,
      language, parts, author, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${row.organizationId}, ${row.kind}, ${row.language}, ${row.parts}, ${row.author},
      ${row.sequence}, ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id, kind, language) do update
      set parts = excluded.parts, author = excluded.author, sequence = excluded.sequence, changed_at = excluded.changed_at
    returning ${columns}`);
  return stored as StoredMessageText;
}

/** Deletes the text that an organization or the instance sets itself. Returns whether there was one. */
export async function deleteStoredMessageText(tx: Tx, key: MessageTextKey): Promise<boolean> {
  const count = await tx.run(sql`delete from message_texts
    where instance_id = ${tx.instanceId} and organization_id = ${key.organizationId} and kind = ${key.kind}
      and language = ${key.language}`);
  return count > 0;
}

/** Deletes every text of an organization that is being deleted. */
export async function deleteMessageTextsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`delete from message_texts
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
}
