import { type Counter, limitOf, total } from "./counter.ts";

/** What the targets of an instance, or the scripts of an organization, are sure of, and what they used. */
interface Part {
  /** Undefined for targets. */
  readonly organizationId: string | undefined;
  readonly size: number;
  readonly used: number;
}

// The rest is for those who need more than their part, and for those who have none yet.
const ofTargets = 1 / 4;
const ofOrganizations = 1 / 2;

/**
 * Whether the scripts of an organization, or targets where none is given, may use more of the run time: while they have
 * not used their part, and then while there is more left than what the parts of others still need. So nothing that one
 * of them uses takes from the part of another. This holds only because the organizations that have a part (`sharers`)
 * are the same in the whole period.
 */
export function mayRun(counter: Counter, sharers: readonly string[], organizationId?: string): boolean {
  const limit = limitOf(counter);
  const used = total(counter);
  if (used >= limit) return false;
  const parts = partsOf(counter, sharers, limit);
  const own = parts.find((part) => part.organizationId === organizationId);
  if (own !== undefined && own.used < own.size) return true;
  return used + parts.reduce((sum, part) => sum + Math.max(0, part.size - part.used), 0) < limit;
}

function partsOf(counter: Counter, sharers: readonly string[], limit: number): Part[] {
  const shares = new Map([...counter.shares].map(([organizationId, share]) => [organizationId, total(share)]));
  const ofScripts = shares.values().reduce((sum, used) => sum + used, 0);
  const size = (limit * ofOrganizations) / sharers.length;
  return [
    { organizationId: undefined, size: limit * ofTargets, used: total(counter) - ofScripts },
    ...sharers.map((organizationId) => ({ organizationId, size, used: shares.get(organizationId) ?? 0 })),
  ];
}
