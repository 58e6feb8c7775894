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

/** Lists every target of every execution of the instance, in order. */
export async function listDirectoryRows(
  reader: Reader,
  instanceId: string,
): Promise<{ readonly executionId: string; readonly word: string; readonly target: CallableTarget }[]> {
  const rows = await reader.all<TargetRow & { readonly executionId: string; readonly word: string }>(
    sql`select e.execution_id as "executionId", e.word, ${columns}
      from executions e
      join execution_targets et on et.instance_id = e.instance_id and et.execution_id = e.execution_id
      join targets t on t.instance_id = et.instance_id and t.target_id = et.target_id
      ${withKey}
      where e.instance_id = ${instanceId} order by e.execution_id, et.place`,
  );
  return rows.map(({ executionId, word, ...row }) => ({ executionId, word, target: toCallable(row) }));
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
