import { type Access, createAccess, isOfLoginClient } from "./access.ts";

/**
 * Returns whether the caller holds the position of a sign-in application (`session.link`) and does not own the
 * instance, including by a token that has only some of its permissions.
 */
export const isLoginClient = ({ positions }: Access): boolean => positions.some(isOfLoginClient);

/** Returns what the caller may do without being a sign-in application. */
export const withoutLoginClient = (access: Access): Access =>
  isLoginClient(access) ? createAccess(access.positions.filter((position) => !isOfLoginClient(position))) : access;
