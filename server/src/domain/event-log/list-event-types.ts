import { type Call, requirePermission } from "../../call/index.ts";
import { type EventType, eventTypes } from "../../event/index.ts";
import { aggregateTypes } from "./event-search.ts";

/** Lists every type of event, for callers who may read events. */
export function listEventTypes(call: Call): readonly EventType[] {
  requirePermission(call, "events.read", {});
  return eventTypes;
}

/** Lists every kind of record that events belong to, for callers who may read events. */
export function listAggregateTypes(call: Call): readonly string[] {
  requirePermission(call, "events.read", {});
  return aggregateTypes;
}
