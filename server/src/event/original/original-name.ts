import type { NamedPart, OriginalNames } from "./named-part.ts";
import { otherNames } from "./other-names.ts";
import { ownerNames } from "./settings-names.ts";
import { userNames } from "./user-names.ts";

const table: ReadonlyMap<string, readonly NamedPart[]> = new Map(
  Object.entries({ ...userNames, ...ownerNames, ...otherNames } as OriginalNames).map(([type, names = []]) => [
    type,
    names.map((name) => (typeof name === "string" ? { name } : name)),
  ]),
);

/** An event, as far as its names depend on it. */
export interface NamedEvent {
  readonly type: string;
  readonly aggregateId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Events of a type, or a part of them: those that meet one of the conditions. */
export interface EventPart {
  readonly type: string;
  /** Absent: all of the type. */
  readonly parts?: readonly Pick<NamedPart, "holds" | "within">[];
}

/**
 * Returns the names by which the interface knows an event, the one that is shown first; its own when it has no other.
 */
export function originalNamesOf({ type, aggregateId, payload }: NamedEvent): string[] {
  const names = table.get(type);
  if (names === undefined) return [type];
  const text = names.some(({ holds }) => holds !== undefined) ? JSON.stringify(payload) : "";
  const has = ({ holds = "", within = "" }: NamedPart): boolean =>
    aggregateId.startsWith(within) && text.includes(holds);
  const found = names.filter(has).map(({ name }) => name);
  return found.length === 0 ? [type] : found;
}

const partsOfName = new Map<string, Map<string, NamedPart[]>>();
for (const [type, names] of table) {
  for (const part of names) {
    const parts = partsOfName.get(part.name) ?? new Map<string, NamedPart[]>();
    parts.set(type, [...(parts.get(type) ?? []), part]);
    partsOfName.set(part.name, parts);
  }
}

/** Returns every name that events of a type can have; the type itself when the table has none. */
export const originalsOf = (type: string): string[] => table.get(type)?.map(({ name }) => name) ?? [type];

/** Every name that the table has, sorted. */
export const originalNames: readonly string[] = [...partsOfName.keys()].toSorted();

/** Returns the events that have a name; those of the type itself for a name that the table does not have. */
export function eventsNamed(name: string): readonly EventPart[] {
  const parts = partsOfName.get(name);
  if (parts === undefined) return [{ type: name }];
  return [...parts].map(([type, ofType]) => {
    const isWhole = ofType.some(({ holds, within }) => holds === undefined && within === undefined);
    return isWhole ? { type } : { type, parts: ofType };
  });
}

// The first parts of a name say what an event is about, the longest first.
const aggregates: readonly (readonly [beginning: string, aggregate: string])[] = [
  ["user.grant.", "usergrant"],
  ["settings.organization.", "organization_settings"],
  ["device.authorization.", "device_auth"],
  ["iam.", "instance"],
];

/** Returns the kind of record that the interface counts an event of a name to. */
export function originalAggregateOf(name: string): string {
  const found = aggregates.find(([beginning]) => name.startsWith(beginning));
  return found?.[1] ?? name.split(".", 1)[0] ?? "";
}
