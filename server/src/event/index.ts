export { type FeedEvent, feedStart, listFeed } from "./feed.store.ts";
export { type Follower, follow } from "./follow.ts";
export { isAnnounced } from "./is-announced.ts";
export { type EventType, eventTypes } from "./names.ts";
