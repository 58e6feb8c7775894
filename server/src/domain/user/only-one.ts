import type { FoundUser } from "./found-user.ts";

// More users than this with one name: the name means none of them, whichever are active.
const mostCandidates = 20;

/** Returns the one user with a name; of several, the only active one. `list` reads at most `limit` users. */
export async function onlyOne(list: (limit: number) => Promise<readonly FoundUser[]>): Promise<FoundUser | undefined> {
  const limit = mostCandidates + 1;
  const found = await list(limit);
  if (found.length === limit) return undefined;
  const candidates = [...new Map(found.map((user) => [user.userId, user])).values()];
  if (candidates.length <= 1) return candidates[0];
  const active = candidates.filter((user) => user.state === "active" && user.organizationState === "active");
  return active.length === 1 ? active[0] : undefined;
}
