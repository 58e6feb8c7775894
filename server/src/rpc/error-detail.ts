import { create, type DescMessage, type JsonValue, type MessageShape, toBinary, toJson } from "@bufbuild/protobuf";
import { CredentialsCheckErrorSchema, ErrorDetailSchema } from "@doorward/api/service/v1/error_pb";
import { withWord } from "./namespace.ts";

/**
 * A detail in the form of Connect and gRPC. `debug` is the readable form that Connect's JSON contains beside the bytes.
 */
export interface SentDetail {
  readonly type: string;
  readonly value: Uint8Array<ArrayBuffer>;
  readonly debug: JsonValue;
}

/** Returns the detail of every refusal; its type is named with the caller's word for our namespace. */
export function errorDetail(
  refusal: { readonly id: string; readonly message: string; readonly failedAttempts?: number | undefined },
  word: string,
): SentDetail {
  const { id, message, failedAttempts } = refusal;
  return failedAttempts === undefined
    ? toSent(ErrorDetailSchema, create(ErrorDetailSchema, { id, message }), word)
    : toSent(CredentialsCheckErrorSchema, create(CredentialsCheckErrorSchema, { id, message, failedAttempts }), word);
}

function toSent<Desc extends DescMessage>(schema: Desc, detail: MessageShape<Desc>, word: string): SentDetail {
  return {
    type: withWord(schema.typeName, word),
    value: toBinary(schema, detail),
    debug: toJson(schema, detail),
  };
}
