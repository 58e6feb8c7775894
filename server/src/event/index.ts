export { type FeedEvent, type FeedPlace, feedStart, listFeed } from "./feed.store.ts";
export { type FollowDeps, type Follower, follow } from "./follow.ts";
export { isAnnounced } from "./is-announced.ts";
export { type EventType, eventTypes } from "./names.ts";
