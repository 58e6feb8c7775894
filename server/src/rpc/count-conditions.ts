import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { Fault } from "../base/fault.ts";
import { fieldValue, type Properties } from "./field-value.ts";
import { mostEntries } from "./validate.ts";

/** How many conditions a list may have, with all that are nested in others. */
const mostConditions = 50;

/** The words of the contract for conditions of a list: v1 and older v2 say queries, newer v2 filters. */
const lists: ReadonlySet<string> = new Set(["queries", "filters"]);

/** What stands in the conditions of a message: conditions, and the values that they list. */
interface Count {
  readonly conditions: number;
  readonly values: number;
}

type Counter = (message: Message | Properties) => Count;

const nothing: Count = { conditions: 0, values: 0 };
const counters = new Map<DescMessage, Counter>();

/** So many listed values cost as much as a condition. */
const valuesOfCondition = 100;

/** What several lists of one request may cost together. */
const mostCost = 6 * mostConditions;

/**
 * Returns what the conditions of a request cost, in conditions, wherever the request has them. Each takes time of the
 * database and makes a statement of its own, so more than 50 are refused, in whatever way they are nested, and so are
 * more values in them than a list may have. Throws `field.too_many` with the name of the field.
 */
export function countConditions(descriptor: DescMessage, request: Message | Properties): number {
  let cost = 0;
  for (const field of fieldsWithConditions(descriptor)) {
    if (isOfConditions(field)) {
      const { conditions, values } = countIn(field, request);
      if (conditions > mostConditions) throw tooMany(field, mostConditions);
      if (values > mostEntries) throw tooMany(field, mostEntries);
      cost += conditions + Math.floor(values / valuesOfCondition);
    } else {
      const value = fieldValue(request, field);
      const message = messageOf(field);
      if (value === undefined || message === undefined) continue;
      const inner = field.fieldKind === "list" ? (value as readonly Properties[]) : [value as Properties];
      for (const each of inner) cost += countConditions(message, each);
    }
    if (cost > mostCost) throw tooMany(field, mostConditions);
  }
  return cost;
}

const withConditions = new Map<DescMessage, readonly DescField[]>();

/** The fields of a message that are conditions, or in which there are some. */
function fieldsWithConditions(descriptor: DescMessage): readonly DescField[] {
  const known = withConditions.get(descriptor);
  if (known !== undefined) return known;
  const fields = descriptor.fields.filter((field) => {
    const inner = messageOf(field);
    return isOfConditions(field) || (inner !== undefined && hasConditions(inner));
  });
  withConditions.set(descriptor, fields);
  return fields;
}

// Messages contain themselves, by way of others.
function hasConditions(descriptor: DescMessage): boolean {
  const reached = new Set([descriptor]);
  for (const each of reached) {
    if (each.fields.some(isOfConditions)) return true;
    for (const field of each.fields) {
      const inner = messageOf(field);
      if (inner !== undefined) reached.add(inner);
    }
  }
  return false;
}

const messageOf = (field: DescField): DescMessage | undefined =>
  (field.fieldKind === "message" || field.fieldKind === "list") &&
  field.message?.typeName.startsWith("google.protobuf.") === false
    ? field.message
    : undefined;

const tooMany = ({ jsonName: field }: DescField, maximum: number): Fault =>
  new Fault("invalid_argument", "field.too_many", { field, values: { field, maximum } });

const isOfConditions = (field: DescField): boolean => field.fieldKind === "list" && lists.has(field.name);

function countIn(field: DescField, message: Message | Properties): Count {
  const value = fieldValue(message, field);
  if (value === undefined) return nothing;
  if (!("message" in field) || field.message === undefined) {
    return field.fieldKind === "list" ? { conditions: 0, values: (value as readonly unknown[]).length } : nothing;
  }
  const nested = counterOf(field.message);
  if (field.fieldKind === "message") return nested(value as Properties);
  if (field.fieldKind !== "list") return nothing;
  const items = value as readonly Properties[];
  const own = isOfConditions(field) ? { conditions: items.length, values: 0 } : { conditions: 0, values: items.length };
  // What is too much already is not looked into.
  if (own.conditions > mostConditions || own.values > mostEntries) return own;
  return items.reduce<Count>((sum, item) => plus(sum, nested(item)), own);
}

const plus = (one: Count, other: Count): Count => ({
  conditions: one.conditions + other.conditions,
  values: one.values + other.values,
});

function counterOf(descriptor: DescMessage): Counter {
  const known = counters.get(descriptor);
  if (known !== undefined) return known;
  // Registered before its fields are visited, because conditions contain conditions.
  const fields: DescField[] = [];
  counters.set(descriptor, (message) =>
    fields.reduce<Count>((sum, field) => plus(sum, countIn(field, message)), nothing),
  );
  if (descriptor.typeName.startsWith("google.protobuf.")) counters.set(descriptor, () => nothing);
  else fields.push(...descriptor.fields.filter((field) => field.fieldKind === "list" || field.fieldKind === "message"));
  return counters.get(descriptor) ?? (() => nothing);
}
