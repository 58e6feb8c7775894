export { clearView } from "./clear-view.ts";
export { type FailedEvent, listAllFailedEvents, listFailedEvents } from "./list-failed-events.ts";
export { listViews, listViewsOfInstance, type View, type ViewDeps } from "./list-views.ts";
export { removeFailedEvent, removeFailedEventOf } from "./remove-failed-event.ts";
