import { type Access, createAccess, type Position } from "./access.ts";

// Answering requests of applications for people is what makes a position that of a sign-in application.
const isOfLoginClient = ({ permissions }: Position): boolean =>
  permissions.has("session.link") && !permissions.has("iam.write");

/** Returns whether the caller holds the position of a sign-in application (`session.link`) and does not own the instance. */
export const isLoginClient = ({ positions }: Access): boolean => positions.some(isOfLoginClient);

/** Returns what the caller may do without being a sign-in application. */
export const withoutLoginClient = (access: Access): Access =>
  isLoginClient(access) ? createAccess(access.positions.filter((position) => !isOfLoginClient(position))) : access;
