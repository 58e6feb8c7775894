import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SecretGeneratorSchema } from "@doorward/api/service/settings/v1/secret_generator_pb";
import type { CodeForm } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { flag, seconds, smallCount } from "./kinds.ts";

const { onlyV1 } = fieldsIn<never, MessageInitShape<typeof SecretGeneratorSchema>>();

/** How a code is generated, in the contract. Version 2 does not have it. */
export const codeFields = {
  length: onlyV1("length", smallCount),
  lifetimeSeconds: onlyV1("expiry", seconds),
  includesLower: onlyV1("includeLowerLetters", flag),
  includesUpper: onlyV1("includeUpperLetters", flag),
  includesDigits: onlyV1("includeDigits", flag),
  includesSymbols: onlyV1("includeSymbols", flag),
} satisfies FieldsOf<CodeForm>;
