import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { TimestampFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { InstantMethod, TextMethod } from "../../database/index.ts";
import { fromTimestamp } from "./timestamp.ts";

// `TextFilterMethod` of filter.v2 and of v1 have the same numbers.
const textMethods: Readonly<Record<number, TextMethod>> = {
  [TextQueryMethod.EQUALS]: "equals",
  [TextQueryMethod.EQUALS_IGNORE_CASE]: "equals_ignore_case",
  [TextQueryMethod.STARTS_WITH]: "starts_with",
  [TextQueryMethod.STARTS_WITH_IGNORE_CASE]: "starts_with_ignore_case",
  [TextQueryMethod.CONTAINS]: "contains",
  [TextQueryMethod.CONTAINS_IGNORE_CASE]: "contains_ignore_case",
  [TextQueryMethod.ENDS_WITH]: "ends_with",
  [TextQueryMethod.ENDS_WITH_IGNORE_CASE]: "ends_with_ignore_case",
};

// `TimestampQueryMethod` of v1 has the same numbers.
const instantMethods: Readonly<Record<number, InstantMethod>> = {
  [TimestampFilterMethod.EQUALS]: "equals",
  [TimestampFilterMethod.AFTER]: "greater",
  [TimestampFilterMethod.AFTER_OR_EQUALS]: "greater_or_equals",
  [TimestampFilterMethod.BEFORE]: "less",
  [TimestampFilterMethod.BEFORE_OR_EQUALS]: "less_or_equals",
};

/** Returns the comparison of texts for a number of the enumeration. */
export function toTextMethod(method: number): TextMethod {
  return textMethods[method] ?? refuseFilter("method");
}

/** Returns a condition on an instant, from a `TimestampFilter` or its equivalent in other messages. */
export function toInstantFilter(filter: { readonly timestamp?: Timestamp | undefined; readonly method: number }): {
  readonly method: InstantMethod;
  readonly instant: Instant;
} {
  const method = instantMethods[filter.method] ?? refuseFilter("method");
  if (filter.timestamp === undefined) return refuseFilter("timestamp");
  return { method, instant: fromTimestamp(filter.timestamp) };
}

/** Refuses an empty filter: a caller that filters does not expect the whole list. */
export function refuseFilter(field: string): never {
  throw new Fault("invalid_argument", "filter.invalid", { field });
}
