import type { FoundUser } from "./found-user.ts";

/** More users than this with one name: the name means none of them, whichever are active. */
export const mostCandidates = 20;

/** Returns the one user with a name; of several, the only active one. `list` reads at most `limit` users. */
export async function onlyOne(list: (limit: number) => Promise<readonly FoundUser[]>): Promise<FoundUser | undefined> {
  return chooseOne(await list(mostCandidates + 1));
}

/** Returns the one user of a list of at most one more than `mostCandidates`; of several, the only active one. */
export function chooseOne(found: readonly FoundUser[]): FoundUser | undefined {
  if (found.length > mostCandidates) return undefined;
  const candidates = [...new Map(found.map((user) => [user.userId, user])).values()];
  if (candidates.length <= 1) return candidates[0];
  const active = candidates.filter(isActive);
  return active.length === 1 ? active[0] : undefined;
}

/** Whether a user may sign in, as far as states tell. */
export const isActive = ({ state, organizationState }: FoundUser): boolean =>
  state === "active" && organizationState === "active";
