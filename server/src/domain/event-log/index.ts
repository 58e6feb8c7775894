export { listAggregateTypes, listEventTypes } from "./list-event-types.ts";
export { type EventSearch, type ListedEvent, listEvents } from "./list-events.ts";
