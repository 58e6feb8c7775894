/**
 * What a user can let an application do at our own APIs in the user's name, when no administrator of the instance
 * trusts the application: read or change the user's own data, read or change what the user administers.
 */
export const rights = ["me:read", "me:write", "admin:read", "admin:write"] as const;
export type Right = (typeof rights)[number];
