export { nameAggregateType, nameEventType } from "./event-names.ts";
export { type ListedChange, listOwnChanges } from "./list-changes.ts";
export { listAggregateTypes, listEventTypes } from "./list-event-types.ts";
export { listEvents } from "./list-events.ts";
