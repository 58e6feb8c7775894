import { type List, type Page, type Reader, readList, sql, text } from "../../database/index.ts";
import type { DeliveryState, ListedDelivery } from "./delivery.ts";

export interface DeliverySearch {
  readonly targetId: string;
  /** Only deliveries in this state; all when absent. */
  readonly state?: DeliveryState;
  readonly isDescending: boolean;
  readonly page: Page;
}

interface Row {
  readonly number: number;
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly failure: string | null;
  readonly createdAt: number;
  readonly nextAttemptAt: number;
  readonly settledAt: number | null;
  readonly aggregateType: string | null;
  readonly aggregateId: string | null;
  readonly eventSequence: number | null;
}

const columns = text(`number, subject, state, attempts, failure, created_at as "createdAt",
  next_attempt_at as "nextAttemptAt", settled_at as "settledAt", aggregate_type as "aggregateType",
  aggregate_id as "aggregateId", event_sequence as "eventSequence"`);

export async function listDeliveryRows(
  reader: Reader,
  instanceId: string,
  { targetId, state, isDescending, page }: DeliverySearch,
): Promise<List<ListedDelivery>> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("deliveries"),
    where: [
      sql`instance_id = ${instanceId}`,
      sql`target_id = ${targetId}`,
      ...(state === undefined ? [] : [sql`state = ${state}`]),
    ],
    orderBy: text("number"),
    id: text("number"),
    isDescending,
    page,
  });
  return { rows: rows.map(toListed), total };
}

function toListed(row: Row): ListedDelivery {
  const { number, subject, state, attempts, failure, createdAt, nextAttemptAt, settledAt } = row;
  const { aggregateType, aggregateId, eventSequence } = row;
  return {
    number,
    subject,
    state,
    attempts,
    createdAt,
    ...(failure !== null && { failure }),
    ...(state === "pending" && { nextAttemptAt }),
    ...(settledAt !== null && { settledAt }),
    ...(aggregateType !== null &&
      aggregateId !== null &&
      eventSequence !== null && { event: { aggregateType, aggregateId, sequence: eventSequence } }),
  };
}
