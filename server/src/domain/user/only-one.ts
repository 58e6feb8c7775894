import type { FoundUser } from "./found-user.ts";

// So many have a name at most before it means nobody, whoever of them is active.
const mostCandidates = 20;

/** The one user who has a name; where several have it, the one of them who is active. `list` reads at most so many. */
export async function onlyOne(list: (limit: number) => Promise<readonly FoundUser[]>): Promise<FoundUser | undefined> {
  const limit = mostCandidates + 1;
  const found = await list(limit);
  if (found.length === limit) return undefined;
  const candidates = [...new Map(found.map((user) => [user.userId, user])).values()];
  if (candidates.length <= 1) return candidates[0];
  const active = candidates.filter((user) => user.state === "active" && user.organizationState === "active");
  return active.length === 1 ? active[0] : undefined;
}
