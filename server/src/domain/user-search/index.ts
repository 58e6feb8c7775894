export { readCommonParts } from "./common-parts.store.ts";
export { getUser, type ListedUser, listUsers, listUsersAfter } from "./list-users.ts";
export { isUserUnique, lookUpLoginName } from "./look-up-name.ts";
export type { UserFilter } from "./user-filter.store.ts";
export { isReadable, type UserSortColumn } from "./user-list.store.ts";
export { type FoundUser, findUsersByBeginning } from "./users-by-beginning.store.ts";
export { usersByText } from "./users-by-text.store.ts";
