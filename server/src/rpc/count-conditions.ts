import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { Fault } from "../base/fault.ts";
import { fieldValue, type Properties } from "./field-value.ts";

/** How many conditions a list may have, with all that are nested in others. */
const mostConditions = 50;

/** The words of the contract for conditions of a list: v1 and older v2 say queries, newer v2 filters. */
const lists: ReadonlySet<string> = new Set(["queries", "filters"]);

/** Counts what stands in the conditions of a message. */
type Counter = (message: Message | Properties) => number;

const none: Counter = () => 0;
const counters = new Map<DescMessage, Counter>();

/**
 * Returns how many conditions a request has. Each takes time of the database and makes a statement of its own, so more
 * than 50 are refused, in whatever way they are nested. Throws `field.too_many` with the name of the field.
 */
export function countConditions(descriptor: DescMessage, request: Message): number {
  const fields = descriptor.fields.filter((field) => isOfConditions(field));
  let count = 0;
  for (const field of fields) {
    count += countIn(field, request);
    if (count <= mostConditions) continue;
    const values = { field: field.jsonName, maximum: mostConditions };
    throw new Fault("invalid_argument", "field.too_many", { field: field.jsonName, values });
  }
  return count;
}

const isOfConditions = (field: DescField): boolean => field.fieldKind === "list" && lists.has(field.name);

function countIn(field: DescField, message: Message | Properties): number {
  const value = fieldValue(message, field);
  if (value === undefined || !("message" in field) || field.message === undefined) return 0;
  const nested = counterOf(field.message);
  if (field.fieldKind === "list") {
    const items = value as readonly Properties[];
    const own = isOfConditions(field) ? items.length : 0;
    // What is too much already is not looked into.
    return own > mostConditions ? own : items.reduce((sum, item) => sum + nested(item), own);
  }
  return field.fieldKind === "message" ? nested(value as Properties) : 0;
}

function counterOf(descriptor: DescMessage): Counter {
  const known = counters.get(descriptor);
  if (known !== undefined) return known;
  // Registered before its fields are visited, because conditions contain conditions.
  const fields: DescField[] = [];
  counters.set(descriptor, (message) => fields.reduce((sum, field) => sum + countIn(field, message), 0));
  if (descriptor.typeName.startsWith("google.protobuf.")) counters.set(descriptor, none);
  else fields.push(...descriptor.fields.filter((field) => "message" in field && field.message !== undefined));
  return counters.get(descriptor) ?? none;
}
