import type { Rules } from "@doorward/api/service/option/v1/rules_pb";

/** Describes the rules of a field in a few words for readers. */
export function limitsOf(rules: Rules | undefined): string[] {
  const kind = rules?.kind;
  switch (kind?.case) {
    case "string": {
      const { len, minLen, maxLen, maxBytes, prefix, email, uriRef, ignoreEmpty } = kind.value;
      const length = len === undefined ? range(minLen, maxLen, "characters") : [`${len} characters`];
      return [
        ...length,
        ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
        ...(prefix === undefined ? [] : [`begins with ${prefix}`]),
        ...(email ? ["e-mail address"] : []),
        ...(uriRef ? ["URI or relative reference"] : []),
        ...(ignoreEmpty ? ["may be empty"] : []),
      ];
    }
    case "bytes":
      return range(kind.value.minLen, kind.value.maxLen, "bytes");
    case "bool":
      return kind.value.const === undefined ? [] : [`only ${kind.value.const}`];
    case "number": {
      const { gt, gte, lt, lte } = kind.value;
      return range(gte ?? (gt === undefined ? gt : gt + 1n), lte ?? (lt === undefined ? lt : lt - 1n), "");
    }
    case "duration": {
      const { constSeconds, gtSeconds, gteSeconds, lteSeconds } = kind.value;
      if (constSeconds !== undefined) return [`only ${constSeconds}s`];
      const more = gtSeconds === undefined ? [] : [`more than ${gtSeconds}s`];
      return [...more, ...range(gteSeconds, lteSeconds, "seconds")];
    }
    case "repeated": {
      const { minItems, maxItems, unique, items } = kind.value;
      const each = limitsOf(items).map((limit) => `each ${limit}`);
      return [...range(minItems, maxItems, "items"), ...(unique ? ["no value twice"] : []), ...each];
    }
    case "enum":
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
}

type Bound = number | bigint | undefined;

function range(least: Bound, most: Bound, unit: string): string[] {
  const words = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${words}`];
  if (least !== undefined) return [`at least ${least}${words}`];
  return most === undefined ? [] : [`at most ${most}${words}`];
}
