import { create, toBinary } from "@bufbuild/protobuf";
import { CredentialsCheckErrorSchema, ErrorDetailSchema } from "@doorward/api/service/v1/error_pb";
import { withWord } from "./namespace.ts";

/** The detail that every refusal carries, as Connect and gRPC send it: its type is named with the word that the caller used. */
export function errorDetail(
  refusal: { readonly id: string; readonly message: string; readonly failedAttempts?: number | undefined },
  word: string,
): { readonly type: string; readonly value: Uint8Array<ArrayBuffer> } {
  const { id, message, failedAttempts } = refusal;
  if (failedAttempts === undefined) {
    const value = toBinary(ErrorDetailSchema, create(ErrorDetailSchema, { id, message }));
    return { type: withWord(ErrorDetailSchema.typeName, word), value };
  }
  const detail = create(CredentialsCheckErrorSchema, { id, message, failedAttempts });
  return {
    type: withWord(CredentialsCheckErrorSchema.typeName, word),
    value: toBinary(CredentialsCheckErrorSchema, detail),
  };
}
