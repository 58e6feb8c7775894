import type { Reader } from "../../database/index.ts";
import { sql } from "../../database/index.ts";

/** An event in the form in which it is delivered. */
export interface DeliveredEvent {
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly ownerId: string;
  readonly sequence: number;
  /** JSON. */
  readonly payload: string;
  readonly editorUserId: string | null;
  readonly createdAt: number;
}

export async function findEvent(
  reader: Reader,
  instanceId: string,
  event: { readonly aggregateType: string; readonly aggregateId: string; readonly sequence: number },
): Promise<DeliveredEvent | undefined> {
  return reader.maybe<DeliveredEvent>(sql`select type, aggregate_type as "aggregateType", aggregate_id as "aggregateId",
      owner_id as "ownerId", sequence, payload, editor_user_id as "editorUserId", created_at as "createdAt"
    from events where instance_id = ${instanceId} and aggregate_type = ${event.aggregateType}
      and aggregate_id = ${event.aggregateId} and sequence = ${event.sequence}`);
}
