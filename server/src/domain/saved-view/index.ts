export { createSavedView } from "./create-saved-view.ts";
export { deleteSavedView } from "./delete-saved-view.ts";
export { listSavedViews } from "./list-saved-views.ts";
export { deleteSavedViewsOfUsers } from "./saved-view.store.ts";
export type { SavedView, ViewedList } from "./saved-view.ts";
export { updateSavedView } from "./update-saved-view.ts";
