import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import {
  type CreateTargetRequest,
  TargetFieldName,
  type TargetSchema,
  type TargetSearchFilter,
  PayloadType as WirePayloadType,
} from "@doorward/api/service/action/v2/target_pb";
import { Fault } from "../../../base/fault.ts";
import {
  createTarget,
  deleteTarget,
  getTarget,
  listTargets,
  type PayloadType,
  type Target,
  type TargetDeps,
  type TargetFilter,
  type TargetInput,
  type TargetSearch,
  updateTarget,
} from "../../../domain/action/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on targets. Only roles of the instance carry their permissions, so the contract's declaration suffices. */
export const targetMethods = (deps: TargetDeps): Binding =>
  bind(ActionService, {
    async createTarget(call, { name, endpoint, timeout, targetType, payloadType }) {
      const kind = toKind(targetType);
      if (kind === undefined) throw new Fault("invalid_argument", "target.type_required", { field: "targetType" });
      const { target, signingKey } = await createTarget(deps, call, {
        name,
        endpoint,
        timeout: toMilliseconds(timeout),
        ...kind,
        payloadType: toPayloadType(payloadType) ?? "json",
      });
      const { targetId, details } = target;
      return { id: targetId, creationDate: toTimestamp(details.createdAt), signingKey: signingKey.reveal() };
    },
    async updateTarget(call, request) {
      const { id, name, endpoint, timeout, targetType, payloadType, expirationSigningKey } = request;
      const wantedPayloadType = toPayloadType(payloadType);
      const { target, signingKey } = await updateTarget(deps, call, {
        targetId: id,
        ...(name !== undefined && { name }),
        ...(endpoint !== undefined && { endpoint }),
        ...(timeout !== undefined && { timeout: toMilliseconds(timeout) }),
        ...toKind(targetType),
        ...(wantedPayloadType !== undefined && { payloadType: wantedPayloadType }),
        withNewSigningKey: expirationSigningKey !== undefined,
      });
      return {
        changeDate: toTimestamp(target.details.changedAt),
        ...(signingKey && { signingKey: signingKey.reveal() }),
      };
    },
    async deleteTarget(call, { id }) {
      const deletedAt = await deleteTarget(deps, call, { targetId: id });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async getTarget(call, { id }) {
      return { target: toMessage(await getTarget(deps, call, { targetId: id })) };
    },
    async listTargets(call, { pagination, sortingColumn = TargetFieldName.UNSPECIFIED, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listTargets(deps, call, {
        ...requested,
        orderBy: columns[sortingColumn] ?? refuseFilter("sortingColumn"),
        filters: filters.map(toFilter),
      });
      return { pagination: toPagination(total, requested.page), targets: rows.map(toMessage) };
    },
  });

const columns: Readonly<Partial<Record<TargetFieldName, TargetSearch["orderBy"]>>> = {
  [TargetFieldName.UNSPECIFIED]: "id",
  [TargetFieldName.ID]: "id",
  [TargetFieldName.CREATED_DATE]: "created_at",
  [TargetFieldName.CHANGED_DATE]: "changed_at",
  [TargetFieldName.NAME]: "name",
  [TargetFieldName.TARGET_TYPE]: "kind",
  [TargetFieldName.URL]: "endpoint",
  [TargetFieldName.TIMEOUT]: "timeout",
  [TargetFieldName.INTERRUPT_ON_ERROR]: "is_interrupting",
};

const payloadTypes = {
  json: WirePayloadType.JSON,
  jwt: WirePayloadType.JWT,
  jwe: WirePayloadType.JWE,
} as const satisfies Record<PayloadType, WirePayloadType>;

function toPayloadType(wire: WirePayloadType): PayloadType | undefined {
  switch (wire) {
    case WirePayloadType.UNSPECIFIED:
      return undefined;
    case WirePayloadType.JSON:
      return "json";
    case WirePayloadType.JWT:
      return "jwt";
    case WirePayloadType.JWE:
      return "jwe";
    default:
      // A value that the contract does not define.
      return refusePayloadType(wire satisfies never);
  }
}

function refusePayloadType(_wire: never): never {
  throw new Fault("invalid_argument", "target.payload_type_unknown", { field: "payloadType" });
}

function toKind(
  type: CreateTargetRequest["targetType"] | { readonly case: undefined },
): Pick<TargetInput, "kind" | "isInterrupting"> | undefined {
  switch (type.case) {
    case "restWebhook":
      return { kind: "webhook", isInterrupting: type.value.interruptOnError };
    case "restCall":
      return { kind: "call", isInterrupting: type.value.interruptOnError };
    case "restAsync":
      return { kind: "async", isInterrupting: false };
    case undefined:
      return undefined;
    default:
      return type satisfies never;
  }
}

function toFilter({ filter }: TargetSearchFilter, index: number): TargetFilter {
  switch (filter.case) {
    case "targetNameFilter":
      return { by: "name", method: toTextMethod(filter.value.method), name: filter.value.targetName };
    case "inTargetIdsFilter":
      return { by: "ids", targetIds: filter.value.targetIds };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

// A fraction of a millisecond is rounded up, so that the shortest timeout is not mistaken for no timeout.
const toMilliseconds = (duration: Duration | undefined): number =>
  duration === undefined ? 0 : Number(duration.seconds) * 1000 + Math.ceil(duration.nanos / 1_000_000);

function toDuration(milliseconds: number): MessageInitShape<typeof DurationSchema> {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}

const toMessage = (target: Target): MessageInitShape<typeof TargetSchema> => ({
  id: target.targetId,
  creationDate: toTimestamp(target.details.createdAt),
  changeDate: toTimestamp(target.details.changedAt),
  name: target.name,
  targetType: toTargetType(target),
  timeout: toDuration(target.timeout),
  endpoint: target.endpoint,
  payloadType: payloadTypes[target.payloadType],
});

function toTargetType({
  kind,
  isInterrupting,
}: Target): NonNullable<MessageInitShape<typeof TargetSchema>["targetType"]> {
  switch (kind) {
    case "webhook":
      return { case: "restWebhook", value: { interruptOnError: isInterrupting } };
    case "call":
      return { case: "restCall", value: { interruptOnError: isInterrupting } };
    case "async":
      return { case: "restAsync", value: {} };
    default:
      return kind satisfies never;
  }
}
