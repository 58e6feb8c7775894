import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CreateTargetRequestSchema,
  PayloadType,
  type Target,
  type UpdateTargetRequestSchema,
} from "@doorward/api/service/action/v2/target_pb";
import { t } from "../../../text/catalogue.ts";

/** How a target is called, by the names of the contract. */
type TargetKind = "restWebhook" | "restCall" | "restAsync";

/** A target as its form has it. */
export interface TargetValues {
  name: string;
  kind: string;
  endpoint: string;
  timeout: string;
  interruptOnError: boolean;
  payloadType: string;
}

/** The kinds in words, in the order of the form. */
export const kindChoices = (): readonly (readonly [kind: TargetKind, text: string])[] => [
  ["restWebhook", t("automation.kind.webhook")],
  ["restCall", t("automation.kind.call")],
  ["restAsync", t("automation.kind.async")],
];

export const payloadChoices = (): readonly (readonly [value: string, text: string])[] => [
  [String(PayloadType.JSON), t("automation.payload.json")],
  [String(PayloadType.JWT), t("automation.payload.jwt")],
  [String(PayloadType.JWE), t("automation.payload.jwe")],
];

/** Returns the kind of a target, as words. */
export function kindName({ targetType }: Target): string {
  if (targetType.case === "restCall") return t("automation.kind.call.short");
  return targetType.case === "restAsync" ? t("automation.kind.async.short") : t("automation.kind.webhook.short");
}

/** What a new target has until something else is chosen. */
export const newTarget: TargetValues = {
  name: "",
  kind: "restWebhook",
  endpoint: "",
  timeout: "10",
  interruptOnError: false,
  payloadType: String(PayloadType.JSON),
};

/** Returns the values of a form from a target. */
export const valuesOf = ({ name, endpoint, timeout, targetType, payloadType }: Target): TargetValues => ({
  name,
  kind: targetType.case ?? "restWebhook",
  endpoint,
  timeout: String(Number(timeout?.seconds ?? 0) + (timeout?.nanos ?? 0) / 1e9),
  interruptOnError: targetType.case === "restAsync" ? false : targetType.value?.interruptOnError === true,
  payloadType: String(payloadType || PayloadType.JSON),
});

type TargetType = MessageInitShape<typeof CreateTargetRequestSchema>["targetType"];

function typeOf({ kind, interruptOnError }: TargetValues): TargetType {
  if (kind === "restCall") return { case: "restCall", value: { interruptOnError } };
  if (kind === "restAsync") return { case: "restAsync", value: {} };
  return { case: "restWebhook", value: { interruptOnError } };
}

const timeoutOf = ({ timeout }: TargetValues) => {
  const milliseconds = Math.round(Number(timeout) * 1000);
  return { seconds: BigInt(Math.trunc(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 };
};

/** Returns the request for a new target. */
export const toCreateRequest = (values: TargetValues): MessageInitShape<typeof CreateTargetRequestSchema> => ({
  name: values.name.trim(),
  endpoint: values.endpoint.trim(),
  targetType: typeOf(values),
  timeout: timeoutOf(values),
  payloadType: Number(values.payloadType) as PayloadType,
});

/** Returns the request that changes what differs from the target as it was read. */
export function toUpdateRequest(
  target: Target,
  values: TargetValues,
): MessageInitShape<typeof UpdateTargetRequestSchema> {
  const former = valuesOf(target);
  const { name, endpoint, targetType, timeout, payloadType } = toCreateRequest(values);
  const isOtherType = former.kind !== values.kind || former.interruptOnError !== values.interruptOnError;
  return {
    id: target.id,
    ...(name !== former.name && name !== undefined && { name }),
    ...(endpoint !== former.endpoint && endpoint !== undefined && { endpoint }),
    ...(isOtherType && targetType && { targetType }),
    ...(values.timeout !== former.timeout && timeout && { timeout }),
    ...(values.payloadType !== former.payloadType && payloadType && { payloadType }),
  };
}
