import type { Instant } from "../../base/clock.ts";
import { type EventPart, eventsNamed, eventTypes, originalAggregateOf, originalNames } from "../../event/index.ts";

/** A search in the history. All given conditions must hold. */
export interface EventSearch {
  readonly limit: number;
  /** Oldest first. */
  readonly isAscending: boolean;
  /** Only events with a greater sequence of the record. */
  readonly afterSequence?: number | undefined;
  readonly editorUserId?: string | undefined;
  /** Types of events, by our names or those of the interface; all when empty. */
  readonly types: readonly string[];
  /** Kinds of record, likewise; all when empty. */
  readonly aggregateTypes: readonly string[];
  /** The kinds are those of the interface where both have a word. */
  readonly isOriginal?: boolean | undefined;
  readonly aggregateId?: string | undefined;
  /** The organization, or the instance, that owns the record. */
  readonly ownerId?: string | undefined;
  readonly time: TimeSpan;
}

/** Bounds of time; `since` and `until` are inclusive, `after` and `before` exclusive. */
export interface TimeSpan {
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly after?: Instant | undefined;
  readonly before?: Instant | undefined;
}

/** An event as the history shows it. */
export interface ListedEvent {
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Empty when no particular user did it. */
  readonly editorUserId: string;
  /** The user's current name; empty when the user no longer exists. */
  readonly editorName: string;
  readonly editorClientId: string;
  /** Network that the request came from; empty for what the server did on its own. */
  readonly source: string;
}

/** Returns the kind of record that events of a type belong to: the first part of the type. */
export const aggregateTypeOf = (type: string): string => type.split(".", 1)[0] ?? "";

/** Every kind of record that events belong to, sorted. */
export const aggregateTypes: readonly string[] = [...new Set(eventTypes.map(aggregateTypeOf))].sort();

type Search = Pick<EventSearch, "types" | "aggregateTypes" | "isOriginal">;

/**
 * Returns the events that a search allows, by type; undefined when it allows all. Kinds of record are expanded to their
 * types, because one index by type serves both.
 */
export function allowedEvents({ types, aggregateTypes: kinds, isOriginal = false }: Search): EventPart[] | undefined {
  if (types.length === 0 && kinds.length === 0) return undefined;
  const ofKinds = (name: string): boolean => kinds.length === 0 || kinds.includes(originalAggregateOf(name));
  const isOfKind = ({ type }: EventPart): boolean => kinds.length === 0 || kinds.includes(aggregateTypeOf(type));
  const named = types.length === 0 ? [...eventTypes, ...originalNames] : types;
  return merge(
    named.flatMap((name) => eventsNamed(name).filter((part) => isOfKind(part) || (isOriginal && ofKinds(name)))),
  );
}

/** Whether a search names something that only the interface has, so that its answers are for clients of it. */
export const namesOriginals = ({ types, aggregateTypes: kinds }: Search): boolean =>
  types.some((name) => originalNames.includes(name) && !(eventTypes as readonly string[]).includes(name)) ||
  kinds.some((kind) => originalAggregates.has(kind) && !aggregateTypes.includes(kind));

const originalAggregates = new Set(originalNames.map(originalAggregateOf));

// Two names of one type are read once, so that no event is found twice.
function merge(found: readonly EventPart[]): EventPart[] {
  const byType = new Map<string, EventPart>();
  for (const { type, parts } of found) {
    const before = byType.get(type);
    const isWhole = parts === undefined || (before !== undefined && before.parts === undefined);
    byType.set(type, isWhole ? { type } : { type, parts: [...(before?.parts ?? []), ...parts] });
  }
  return [...byType.values()];
}
