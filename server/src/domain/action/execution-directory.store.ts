import { type Reader, type Sql, sql, text } from "../../database/index.ts";
import type { CallableTarget, PayloadType, TargetKind } from "./target.ts";

interface TargetRow {
  readonly targetId: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  readonly timeout: number;
  readonly isInterrupting: 0 | 1;
  readonly payloadType: PayloadType;
  readonly signingKey: string;
  readonly keyId: string | null;
  readonly publicKey: string | null;
  readonly keyExpiresAt: number | null;
}

const columns = text(`t.target_id as "targetId", t.kind, t.endpoint, t.timeout, t.is_interrupting as "isInterrupting",
  t.payload_type as "payloadType", t.signing_key as "signingKey", k.key_id as "keyId", k.public_key as "publicKey",
  k.expires_at as "keyExpiresAt"`);

const withKey = text(`left join target_keys k
  on k.instance_id = t.instance_id and k.target_id = t.target_id and k.is_active = 1`);

/** Lists the executions of the instance, each with the ids of its targets in order. */
export async function listDirectoryRows(
  reader: Reader,
  instanceId: string,
): Promise<{ readonly executionId: string; readonly word: string; readonly targetIds: readonly string[] }[]> {
  const rows = await reader.all<{ readonly executionId: string; readonly word: string; readonly targetIds: string }>(
    sql`select e.execution_id as "executionId", e.word, string_agg(et.target_id, ' ' order by et.place) as "targetIds"
      from executions e
      join execution_targets et on et.instance_id = e.instance_id and et.execution_id = e.execution_id
      where e.instance_id = ${instanceId} group by e.execution_id, e.word order by e.execution_id`,
  );
  return rows.map(({ targetIds, ...row }) => ({ ...row, targetIds: targetIds.split(" ") }));
}

/** Lists the targets that executions of the instance call, each once. */
export async function listCallableTargets(reader: Reader, instanceId: string): Promise<CallableTarget[]> {
  const rows = await reader.all<TargetRow>(sql`select ${columns} from targets t ${withKey}
    where t.instance_id = ${instanceId} and exists (select 1 from execution_targets et
      where et.instance_id = ${instanceId} and et.target_id = t.target_id)`);
  return rows.map(toCallable);
}

/** Finds one target in its current state. */
export async function findCallableTarget(
  reader: Reader,
  instanceId: string,
  targetId: string,
): Promise<CallableTarget | undefined> {
  const statement: Sql = sql`select ${columns} from targets t ${withKey}
    where t.instance_id = ${instanceId} and t.target_id = ${targetId}`;
  const row = await reader.maybe<TargetRow>(statement);
  return row && toCallable(row);
}

function toCallable({ isInterrupting, keyId, publicKey, keyExpiresAt, ...row }: TargetRow): CallableTarget {
  return {
    ...row,
    isInterrupting: isInterrupting === 1,
    ...(keyId !== null &&
      publicKey !== null && {
        encryptionKey: { keyId, publicKey, ...(keyExpiresAt !== null && { expiresAt: keyExpiresAt }) },
      }),
  };
}
