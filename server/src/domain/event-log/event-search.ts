import type { Instant } from "../../base/clock.ts";
import { eventTypes } from "../../event/index.ts";

/** A search in the history. All given conditions must hold. */
export interface EventSearch {
  readonly limit: number;
  /** Oldest first. */
  readonly isAscending: boolean;
  /** Only events with a greater sequence of the record. */
  readonly afterSequence?: number | undefined;
  readonly editorUserId?: string | undefined;
  /** Types of events; all when empty. */
  readonly types: readonly string[];
  /** Kinds of record; all when empty. */
  readonly aggregateTypes: readonly string[];
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
const aggregateTypeOf = (type: string): string => type.split(".", 1)[0] ?? "";

/** Every kind of record that events belong to, sorted. */
export const aggregateTypes: readonly string[] = [...new Set(eventTypes.map(aggregateTypeOf))].sort();

/**
 * Returns the types of events that a search allows; undefined when it allows all. Kinds of record are expanded to their
 * types, because one index by type serves both.
 */
export function allowedTypes(search: Pick<EventSearch, "types" | "aggregateTypes">): readonly string[] | undefined {
  const { types, aggregateTypes: kinds } = search;
  if (kinds.length === 0) return types.length === 0 ? undefined : [...new Set(types)];
  const candidates: readonly string[] = types.length === 0 ? eventTypes : [...new Set(types)];
  return candidates.filter((type) => kinds.includes(aggregateTypeOf(type)));
}
