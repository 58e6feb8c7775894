export { largestAvatar, pathOfAvatar, urlOfAvatar } from "./avatar.ts";
export { createFindSharedAvatar, type FindSharedAvatar, findAvatar } from "./get-avatar.ts";
export { removeAvatar } from "./remove-avatar.ts";
export { setMyAvatar } from "./set-avatar.ts";
