import type { DescEnum, DescField } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import type {
  BytesRules,
  DurationRules,
  EnumRules,
  NumberRules,
  RepeatedRules,
  Rules,
  StringRules,
} from "@doorward/api/service/option/v1/rules_pb";
import { isEmailAddress } from "../base/names/email-address.ts";

/** The violated rule of a value: the slug of its text, and the text's values. */
interface Problem {
  readonly slug: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Checks the value of a field; undefined for a field that is not set. */
export type Check = (value: unknown) => Problem | undefined;

/**
 * Returns the check for a field's rules. A field with explicit presence passes when it is not set, unless it is
 * required.
 */
export function checkOf(field: DescField, rules: Rules): Check {
  const checkValue = checkOfKind(field, rules);
  return (value) => {
    if (value === undefined) return rules.required ? problem("field.required") : undefined;
    return checkValue(value);
  };
}

function checkOfKind(field: DescField, rules: Rules): Check {
  const { kind } = rules;
  switch (kind.case) {
    case "string":
      return (value) => checkString(value as string, kind.value);
    case "bytes":
      return (value) => checkBytes(value as Uint8Array, kind.value);
    case "bool":
      return (value) =>
        kind.value.const !== undefined && value !== kind.value.const
          ? problem("field.must_be", { expected: String(kind.value.const) })
          : undefined;
    case "enum":
      return (value) => checkEnum(value as number, "enum" in field ? field.enum : undefined, kind.value);
    case "number":
      return (value) => checkNumber(BigInt(value as number | bigint), kind.value);
    case "duration":
      return (value) => checkDuration(value as Duration, kind.value);
    case "repeated":
      return (value) => checkRepeated(value as readonly unknown[], field, kind.value);
    case undefined:
      return () => undefined;
    default:
      return kind satisfies never;
  }
}

const problem = (slug: string, values: Problem["values"] = {}): Problem => ({ slug, values });

function checkString(value: string, rules: StringRules): Problem | undefined {
  if (value === "" && rules.ignoreEmpty) return undefined;
  // Code points are only counted when the UTF-16 length does not decide.
  const length =
    value.length <= (rules.minLen ?? 0) ||
    value.length > (rules.maxLen ?? Number.POSITIVE_INFINITY) ||
    rules.len !== undefined
      ? [...value].length
      : value.length;
  if (rules.len !== undefined && length !== rules.len) return problem("field.length", { length: rules.len });
  if (rules.minLen !== undefined && length < rules.minLen) {
    return rules.minLen === 1 ? problem("field.required") : problem("field.too_short", { minimum: rules.minLen });
  }
  if (rules.maxLen !== undefined && length > rules.maxLen) return problem("field.too_long", { maximum: rules.maxLen });
  if (rules.maxBytes !== undefined && Buffer.byteLength(value) > rules.maxBytes)
    return problem("field.too_long", { maximum: rules.maxBytes });
  if (rules.prefix !== undefined && !value.startsWith(rules.prefix))
    return problem("field.prefix", { prefix: rules.prefix });
  if (rules.email && !isEmailAddress(value)) return problem("field.email");
  if (rules.uriRef && !URL.canParse(value, "https://relative.invalid")) return problem("field.uri");
  if (value.includes("\0")) return problem("field.invalid");
  return undefined;
}

function checkBytes(value: Uint8Array, rules: BytesRules): Problem | undefined {
  if (rules.minLen !== undefined && value.length < rules.minLen) return problem("field.required");
  if (rules.maxLen !== undefined && value.length > rules.maxLen)
    return problem("field.too_long", { maximum: rules.maxLen });
  return undefined;
}

function checkEnum(value: number, descriptor: DescEnum | undefined, rules: EnumRules): Problem | undefined {
  if (rules.definedOnly && descriptor?.value[value] === undefined) return problem("field.unknown_value");
  if (rules.notIn.includes(value)) return problem("field.required");
  return undefined;
}

function checkNumber(value: bigint, rules: NumberRules): Problem | undefined {
  if (rules.gt !== undefined && value <= rules.gt) return problem("field.too_small", { minimum: Number(rules.gt) + 1 });
  if (rules.gte !== undefined && value < rules.gte) return problem("field.too_small", { minimum: Number(rules.gte) });
  if (rules.lt !== undefined && value >= rules.lt) return problem("field.too_large", { maximum: Number(rules.lt) - 1 });
  if (rules.lte !== undefined && value > rules.lte) return problem("field.too_large", { maximum: Number(rules.lte) });
  return undefined;
}

function checkDuration(value: Duration, rules: DurationRules): Problem | undefined {
  const seconds = Number(value.seconds) + value.nanos / 1e9;
  if (rules.constSeconds !== undefined && seconds !== Number(rules.constSeconds))
    return problem("field.must_be", { expected: `${rules.constSeconds}s` });
  if (rules.gtSeconds !== undefined && seconds <= Number(rules.gtSeconds))
    return problem("field.duration_too_short", { minimum: Number(rules.gtSeconds) });
  if (rules.gteSeconds !== undefined && seconds < Number(rules.gteSeconds))
    return problem("field.duration_too_short", { minimum: Number(rules.gteSeconds) });
  if (rules.lteSeconds !== undefined && seconds > Number(rules.lteSeconds))
    return problem("field.duration_too_long", { maximum: Number(rules.lteSeconds) });
  return undefined;
}

function checkRepeated(values: readonly unknown[], field: DescField, rules: RepeatedRules): Problem | undefined {
  if (rules.minItems !== undefined && values.length < rules.minItems)
    return problem("field.too_few", { minimum: rules.minItems });
  if (rules.maxItems !== undefined && values.length > rules.maxItems)
    return problem("field.too_many", { maximum: rules.maxItems });
  if (rules.unique && new Set(values).size !== values.length) return problem("field.not_unique");
  if (rules.items === undefined) return undefined;
  const check = checkOfKind(field, rules.items);
  for (const value of values) {
    const found = check(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
