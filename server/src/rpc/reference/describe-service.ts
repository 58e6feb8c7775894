import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { secret } from "@doorward/api/service/option/v1/secret_pb";
import type { FieldReference, MethodReference, ServiceReference, TypeReference, TypesByName } from "../../api/index.ts";
import { accessText } from "./access-text.ts";
import type { ContractMethod, ContractService } from "./contract.ts";
import type { MethodErrors } from "./errors.ts";
import { exampleAnswer, exampleOf } from "./example.ts";
import { limitsOf } from "./limits.ts";
import { isRequired, rulesOf } from "./schema-of-rules.ts";

/** A service with the types of all its methods. */
export interface DescribedService extends ServiceReference {
  readonly types: TypesByName;
}

type CommentOf = (name: string) => string;

interface Described {
  readonly commentOf: CommentOf;
  readonly isBuilt: (name: string) => boolean;
  readonly errors: MethodErrors;
}

/** Describes a service for readers: its methods, and the types that they reach. */
export function describeService(
  { descriptor, methods }: ContractService,
  { commentOf, isBuilt, errors }: Described,
): DescribedService {
  const types = new Map<string, TypeReference>();
  for (const { input, output } of methods.map((method) => method.descriptor)) {
    addMessage(types, commentOf, input);
    addMessage(types, commentOf, output);
  }
  const described = methods.map((method) => describeMethod(method, { commentOf, isBuilt, errors }));
  return {
    name: descriptor.typeName,
    text: commentOf(descriptor.typeName),
    methodCount: described.length,
    builtCount: described.filter((method) => method.isBuilt).length,
    methods: described,
    types: Object.fromEntries(types),
  };
}

/** Returns the types of a method and those that they refer to, in the order in which a reader meets them. */
export function typesOf({ types }: DescribedService, { request, response }: MethodReference): TypesByName {
  const found = new Set([request, response]);
  for (const name of found)
    for (const field of types[name]?.fields ?? []) if (field.refersTo !== undefined) found.add(field.refersTo);
  return Object.fromEntries([...found].flatMap((name) => types[name] ?? []).map((type) => [type.name, type]));
}

function describeMethod(method: ContractMethod, { commentOf, isBuilt, errors }: Described): MethodReference {
  const { service, method: name, access, routes, deprecated, successStatus, input, output } = method.row;
  return {
    name,
    text: commentOf(`${service}.${name}`),
    access,
    accessText: accessText(access),
    routes,
    isBuilt: isBuilt(`${service}/${name}`),
    isDeprecated: deprecated,
    successStatus,
    request: input,
    response: output,
    example: exampleOf(method),
    answer: exampleAnswer(method),
    errors: errors.of(`${service}/${name}`),
  };
}

function addMessage(types: Map<string, TypeReference>, commentOf: CommentOf, message: DescMessage): void {
  const { typeName: name } = message;
  if (types.has(name) || name.startsWith("google.protobuf.")) return;
  const fields = message.fields.map((field) => describeField(field, commentOf));
  types.set(name, { name, text: commentOf(name), fields, values: [] });
  for (const field of message.fields) {
    if (field.message !== undefined) addMessage(types, commentOf, field.message);
    if (field.enum !== undefined) addEnum(types, commentOf, field.enum);
  }
}

function addEnum(types: Map<string, TypeReference>, commentOf: CommentOf, { typeName: name, values }: DescEnum): void {
  const described = values.map((value) => ({ name: value.name, text: commentOf(`${name}.${value.name}`) }));
  types.set(name, { name, text: commentOf(name), fields: [], values: described });
}

function describeField(field: DescField, commentOf: CommentOf): FieldReference {
  const declared = field.message ?? field.enum;
  const isElsewhere = declared !== undefined && !declared.typeName.startsWith("google.protobuf.");
  const one = declared === undefined ? scalarName(field.scalar) : (wellKnown[declared.typeName] ?? shortName(declared));
  const type = { list: `list of ${one}`, map: `map of ${one}`, message: one, enum: one, scalar: one }[field.fieldKind];
  const others = field.oneof?.fields.filter((other) => other !== field) ?? [];
  return {
    name: field.jsonName,
    type,
    refersTo: isElsewhere ? declared.typeName : undefined,
    isRequired: isRequired(field),
    isDeprecated: field.deprecated,
    isSecret: getOption(field, secret),
    limits: limitsOf(rulesOf(field)),
    others: others.map(({ jsonName }) => jsonName),
    text: commentOf(`${field.parent.typeName}.${field.name}`),
  };
}

/** Returns the name without its package. */
const shortName = ({ typeName, file }: DescMessage | DescEnum): string =>
  typeName.startsWith(`${file.proto.package}.`) ? typeName.slice(file.proto.package.length + 1) : typeName;

const wellKnown: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "date and time",
  "google.protobuf.Duration": "duration",
  "google.protobuf.FieldMask": "names of fields",
  "google.protobuf.Struct": "object",
  "google.protobuf.Empty": "empty object",
};

function scalarName(scalar: ScalarType | undefined): string {
  switch (scalar) {
    case ScalarType.BOOL:
      return "true or false";
    case ScalarType.STRING:
      return "text";
    case ScalarType.BYTES:
      return "base64";
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return "number";
    default:
      return "integer";
  }
}
