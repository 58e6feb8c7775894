import type { MessageInitShape } from "@bufbuild/protobuf";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { type DeliverySchema, DeliveryState as WireState } from "@doorward/api/service/action/v2/delivery_pb";
import type { Database } from "../../../database/index.ts";
import { type DeliveryState, type ListedDelivery, listDeliveries } from "../../../domain/action/index.ts";
import { type Binding, bind, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

/** Methods on the log of asynchronous deliveries. */
export const deliveryMethods = (deps: { readonly database: Database }): Binding =>
  bind(ActionService, {
    async listDeliveries(call, { targetId, pagination, state = WireState.UNSPECIFIED }) {
      const requested = toPage(pagination);
      const wanted = states.find(([wire]) => wire === state)?.[1];
      const { rows, total } = await listDeliveries(deps, call, {
        ...requested,
        targetId,
        ...(wanted !== undefined && { state: wanted }),
      });
      return { pagination: toPagination(total, requested.page), deliveries: rows.map(toMessage) };
    },
  });

const states: readonly (readonly [WireState, DeliveryState])[] = [
  [WireState.PENDING, "pending"],
  [WireState.DELIVERED, "delivered"],
  [WireState.FAILED, "failed"],
];

function toMessage(delivery: ListedDelivery): MessageInitShape<typeof DeliverySchema> {
  const { number, subject, state, attempts, failure = "", createdAt, nextAttemptAt, settledAt, event } = delivery;
  return {
    number: BigInt(number),
    subject,
    attempts,
    failure,
    creationDate: toTimestamp(createdAt),
    state: states.find(([, name]) => name === state)?.[0] ?? WireState.UNSPECIFIED,
    ...(nextAttemptAt !== undefined && { nextAttemptDate: toTimestamp(nextAttemptAt) }),
    ...(settledAt !== undefined && { settlementDate: toTimestamp(settledAt) }),
    ...(event && {
      aggregateType: event.aggregateType,
      aggregateId: event.aggregateId,
      eventSequence: BigInt(event.sequence),
    }),
  };
}
