export { type FeedEvent, feedStart, findHandledAt, listFeed, listFollowers } from "./feed.store.ts";
export { type Follower, follow, followOnce } from "./follow.ts";
export { isAnnounced } from "./is-announced.ts";
export { type EventType, eventTypes } from "./names.ts";
export { originalForm } from "./original/original-form.ts";
export {
  type EventPart,
  eventsNamed,
  originalAggregateOf,
  originalNames,
  originalNamesOf,
  originalsOf,
} from "./original/original-name.ts";
