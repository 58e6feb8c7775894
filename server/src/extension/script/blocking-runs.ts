import type { ScriptOwner } from "./script-owner.ts";

/** How many runs there may be at a time. */
export interface Room {
  readonly permits: number;
  /** How many of them an instance has, and an organization. */
  readonly shares: readonly [ofInstance: number, ofOrganization: number];
}

export const isOfInstance = (one: ScriptOwner, other: ScriptOwner): boolean => one.instanceId === other.instanceId;

export const isOfOrganization = (one: ScriptOwner, other: ScriptOwner): boolean =>
  isOfInstance(one, other) && one.organizationId === other.organizationId;

/**
 * Returns the runs whose end lets an owner's next run begin: none where it waits for its own organization's, and those
 * of its own instance where it waits because of that one's share.
 */
export function blockingRuns<Run extends { readonly whose: ScriptOwner }>(
  runs: readonly Run[],
  whose: ScriptOwner,
  { permits, shares: [ofInstance, ofOrganization] }: Room,
): Run[] {
  const inInstance = runs.filter((run) => isOfInstance(run.whose, whose));
  const others = runs.filter((run) => !isOfOrganization(run.whose, whose));
  if (runs.length - others.length >= ofOrganization) return [];
  if (inInstance.length >= ofInstance) return others.filter((run) => isOfInstance(run.whose, whose));
  return runs.length < permits ? [] : others;
}
