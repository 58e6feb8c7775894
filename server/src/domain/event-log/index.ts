export type { ChangePage, ListedChange } from "./change-list.store.ts";
export { nameAggregateType, nameEventType } from "./event-names.ts";
export { type EventSearch, type ListedEvent, namesOriginals, type TimeSpan } from "./event-search.ts";
export {
  listApplicationChanges,
  listOrganizationChanges,
  listOwnChanges,
  listProjectChanges,
  listProjectGrantChanges,
  listUserChanges,
} from "./list-changes.ts";
export { listAggregateTypes, listEventTypes } from "./list-event-types.ts";
export { listEvents } from "./list-events.ts";
