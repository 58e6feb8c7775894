import { create, type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import {
  type BytesRules,
  type DurationRules,
  type NumberRules,
  type Rules,
  rules as rulesOption,
  type StringRules,
} from "@doorward/api/service/option/v1/rules_pb";
import { fieldValue } from "../field-value.ts";
import { checkOf } from "../rules.ts";

/** A schema of JSON Schema 2020-12, as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns the rules of a field; undefined when it has none. */
export const rulesOf = (field: DescField): Rules | undefined =>
  hasOption(field, rulesOption) ? getOption(field, rulesOption) : undefined;

/** Whether a request must contain the field: whether validation refuses a message without it. */
export function isRequired(field: DescField): boolean {
  const rules = rulesOf(field);
  return rules !== undefined && checkOf(field, rules)(fieldValue(create(field.parent), field)) !== undefined;
}

/** Converts rules to JSON Schema, for the value of a field or for each item of a list. */
export function keywordsOf(field: DescField, rules: Rules | undefined): Schema {
  const kind = rules?.kind;
  switch (kind?.case) {
    case "string":
      return stringKeywords(kind.value);
    case "bytes":
      return bytesKeywords(kind.value);
    case "bool":
      return kind.value.const === undefined ? {} : { const: kind.value.const };
    case "enum": {
      const refused = kind.value.notIn.flatMap((number) => field.enum?.value[number]?.name ?? []);
      return refused.length === 0 ? {} : { not: { enum: refused } };
    }
    case "number":
      return numberKeywords(kind.value);
    case "repeated":
      return present({
        minItems: kind.value.minItems,
        maxItems: kind.value.maxItems,
        uniqueItems: kind.value.unique || undefined,
      });
    case "duration":
    case undefined:
      return {};
    default:
      return kind satisfies never;
  }
}

/** Describes in sentences what JSON Schema cannot express. */
export function sentencesOf(rules: Rules | undefined): string[] {
  const kind = rules?.kind;
  if (kind?.case === "duration") return durationSentences(kind.value);
  if (kind?.case === "string" && kind.value.maxBytes !== undefined) return [`At most ${kind.value.maxBytes} bytes.`];
  return [];
}

function stringKeywords(rules: StringRules): Schema {
  const { len, minLen, maxLen, maxBytes, prefix, ignoreEmpty } = rules;
  const keywords = present({
    minLength: len ?? minLen,
    pattern: prefix === undefined ? undefined : `^${prefix.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")}`,
    format: rules.email ? "email" : rules.uriRef ? "uri-reference" : undefined,
  });
  // A code point has at least one byte.
  const longest = present({ maxLength: len ?? maxLen ?? maxBytes });
  if (!ignoreEmpty || Object.keys(keywords).length === 0) return { ...keywords, ...longest };
  return { ...longest, anyOf: [{ const: "" }, keywords] };
}

// Four characters of base64 for three bytes.
const bytesKeywords = ({ minLen, maxLen }: BytesRules): Schema =>
  present({
    minLength: minLen === undefined ? undefined : Math.ceil((minLen * 4) / 3),
    maxLength: maxLen === undefined ? undefined : Math.ceil(maxLen / 3) * 4,
  });

const numberKeywords = ({ gt, gte, lt, lte }: NumberRules): Schema =>
  present({
    exclusiveMinimum: toNumber(gt),
    minimum: toNumber(gte),
    exclusiveMaximum: toNumber(lt),
    maximum: toNumber(lte),
  });

function durationSentences({ constSeconds, gtSeconds, gteSeconds, lteSeconds }: DurationRules): string[] {
  return [
    ...(constSeconds === undefined ? [] : [`Only ${constSeconds}s.`]),
    ...(gtSeconds === undefined ? [] : [`Longer than ${gtSeconds}s.`]),
    ...(gteSeconds === undefined ? [] : [`At least ${gteSeconds}s.`]),
    ...(lteSeconds === undefined ? [] : [`At most ${lteSeconds}s.`]),
  ];
}

const toNumber = (value: bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** Returns the entries that have a value. */
export const present = (entries: Schema): Schema =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
