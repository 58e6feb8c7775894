import { type Call, isLoginClient } from "../../call/index.ts";

/**
 * Returns whether a username is the choice of the user alone: at registration, on the account pages, and where a
 * sign-in application passes on what was typed. An administrator of the instance who chooses their own answers for it.
 */
export function isOwnChoice({ caller }: Call, userId: string): boolean {
  if (caller === undefined) return true;
  if (isLoginClient(caller.access)) return true;
  return caller.userId === userId && !caller.access.allows("user.write", {});
}
