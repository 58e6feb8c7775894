import { type Reader, sql } from "../../database/index.ts";

/** A key that signs. */
export interface OldKey {
  readonly instanceId: string;
  readonly keyId: string;
  readonly algorithm: string;
}

/** Lists the active signing keys of all instances that were made before an instant. */
export const listKeysMadeBefore = (reader: Reader, instant: number): Promise<OldKey[]> =>
  reader.all<OldKey>(sql`select instance_id as "instanceId", key_id as "keyId", algorithm as "algorithm" from signing_keys
    where state = 'active' and created_at < ${instant} order by instance_id, key_id`);
