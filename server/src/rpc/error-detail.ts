import { create, type DescMessage, type JsonValue, type MessageShape, toBinary, toJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  CredentialsCheckErrorSchema,
  ErrorDetailSchema,
  type SettingsChangedError,
  SettingsChangedErrorSchema,
} from "@doorward/api/service/v1/error_pb";
import { withWord } from "./namespace.ts";
import type { ChangedSettings } from "./refusal.ts";

/**
 * A detail in the form of Connect and gRPC. `debug` is the readable form that Connect's JSON contains beside the bytes.
 */
export interface SentDetail {
  readonly type: string;
  readonly value: Uint8Array<ArrayBuffer>;
  readonly debug: JsonValue;
}

interface DescribedRefusal {
  readonly id: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly failedAttempts?: number | undefined;
  readonly changed?: ChangedSettings | undefined;
}

/** Returns the detail of every refusal; its type is named with the caller's word for our namespace. */
export function errorDetail(
  { id, message, field = "", failedAttempts, changed }: DescribedRefusal,
  word: string,
): SentDetail {
  if (changed !== undefined) return toSent(SettingsChangedErrorSchema, changeDetail({ id, message, changed }), word);
  return failedAttempts === undefined
    ? toSent(ErrorDetailSchema, create(ErrorDetailSchema, { id, message, field }), word)
    : toSent(CredentialsCheckErrorSchema, create(CredentialsCheckErrorSchema, { id, message, failedAttempts }), word);
}

function changeDetail(refusal: {
  readonly id: string;
  readonly message: string;
  readonly changed: ChangedSettings;
}): SettingsChangedError {
  const { id, message, changed } = refusal;
  const { fields, changedAt, changedBy, etag } = changed;
  const changedFields = { paths: [...fields] };
  const changeDate = timestampFromMs(changedAt);
  return create(SettingsChangedErrorSchema, { id, message, changedFields, changeDate, changedBy, etag });
}

function toSent<Desc extends DescMessage>(schema: Desc, detail: MessageShape<Desc>, word: string): SentDetail {
  return {
    type: withWord(schema.typeName, word),
    value: toBinary(schema, detail),
    debug: toJson(schema, detail),
  };
}
