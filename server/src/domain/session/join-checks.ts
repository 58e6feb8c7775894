import type { Factors } from "./session.ts";

/**
 * Returns what was checked before and now. A session has one check of a key: another key, which only tested presence,
 * adds to one that was a first factor alone, as it adds to a password.
 */
export function joinChecks(former: Factors, checked: Factors): Factors {
  const joined = { ...former, ...checked };
  const wasFirst =
    former.webAuthNCheckedAt !== undefined && former.isUserVerified === true && former.isOneFactor === true;
  const isAdded = checked.webAuthNCheckedAt !== undefined && checked.isOneFactor !== true;
  return wasFirst && isAdded ? { ...joined, isUserVerified: true } : joined;
}
