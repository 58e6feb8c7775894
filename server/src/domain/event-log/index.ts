export { nameAggregateType, nameEventType } from "./event-names.ts";
export {
  type ChangePage,
  type ListedChange,
  listApplicationChanges,
  listOrganizationChanges,
  listOwnChanges,
  listProjectChanges,
  listUserChanges,
} from "./list-changes.ts";
export { listAggregateTypes, listEventTypes } from "./list-event-types.ts";
export { type EventSearch, type ListedEvent, listEvents } from "./list-events.ts";
