import type { FoundUser } from "./found-user.ts";

/** More users than this with one name: the name means none of them, whichever are active. */
export const mostCandidates = 20;

/** Returns the one user of a list of at most one more than `mostCandidates`; of several, the only active one. */
export function chooseOne<User extends FoundUser>(found: readonly User[]): User | undefined {
  if (found.length > mostCandidates) return undefined;
  const candidates = [...new Map(found.map((user) => [user.userId, user])).values()];
  if (candidates.length <= 1) return candidates[0];
  const active = candidates.filter(isActive);
  return active.length === 1 ? active[0] : undefined;
}

/**
 * Returns the user whose address or number it has been the longest on the word of others, an active one before the others;
 * none for none. Any administrator of an organization can vouch, and a later word takes nothing from an earlier one.
 */
export function earliestOf<User extends FoundUser & { readonly since: number }>(
  found: readonly User[],
): readonly User[] {
  const [earliest] = found.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)) || a.since - b.since);
  return earliest === undefined ? [] : [earliest];
}

/** Whether a user may sign in, as far as states tell. */
const isActive = ({ state, organizationState }: FoundUser): boolean =>
  state === "active" && organizationState === "active";
