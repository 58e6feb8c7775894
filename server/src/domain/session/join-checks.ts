import type { Factors } from "./session.ts";

/**
 * Returns what was checked before and now. A session has one check of a key: another key, which only tested presence,
 * adds to one that was a first factor alone, as it adds to a password. `counting` is what still counts of the former
 * checks, where some could be too old: the joined check has the time of the later one.
 */
export function joinChecks(former: Factors, checked: Factors, counting = former): Factors {
  const joined = { ...former, ...checked };
  const wasFirst =
    counting.webAuthNCheckedAt !== undefined && former.isUserVerified === true && former.isOneFactor === true;
  const isAdded = checked.webAuthNCheckedAt !== undefined && checked.isOneFactor !== true;
  return wasFirst && isAdded ? { ...joined, isUserVerified: true } : joined;
}
