import type { ScriptOwner } from "./script-owner.ts";

/** How many runs there may be at a time. */
export interface Room {
  readonly permits: number;
  /** How many of them an instance has, and an organization. */
  readonly shares: readonly [ofInstance: number, ofOrganization: number];
}

/** Something of an owner: a run, or what waits to become one. */
export interface Owned {
  readonly whose: ScriptOwner;
}

export const isOfInstance = (one: ScriptOwner, other: ScriptOwner): boolean => one.instanceId === other.instanceId;

export const isOfOrganization = (one: ScriptOwner, other: ScriptOwner): boolean =>
  isOfInstance(one, other) && one.organizationId === other.organizationId;

/** Counts those of the instance of an owner, and of its organization. */
export function countOf(all: Iterable<Owned>, owner: ScriptOwner) {
  let instance = 0;
  let organization = 0;
  for (const { whose } of all) {
    if (isOfInstance(whose, owner)) instance++;
    if (isOfOrganization(whose, owner)) organization++;
  }
  return { instance, organization };
}

/** Counts those of each owner. */
export function countEach(all: Iterable<Owned>): Map<ScriptOwner, ReturnType<typeof countOf>> {
  const owners = new Map<string, ScriptOwner>();
  const instances = new Map<string, number>();
  const organizations = new Map<string, number>();
  for (const { whose } of all) {
    const key = JSON.stringify([whose.instanceId, whose.organizationId]);
    owners.set(key, whose);
    instances.set(whose.instanceId, (instances.get(whose.instanceId) ?? 0) + 1);
    organizations.set(key, (organizations.get(key) ?? 0) + 1);
  }
  return new Map(
    [...owners].map(([key, owner]) => [
      owner,
      { instance: instances.get(owner.instanceId) ?? 0, organization: organizations.get(key) ?? 0 },
    ]),
  );
}

/**
 * Whether one owner has at least two more than another: more of the organization in the same instance, and else of the
 * instance. So one may pass from the former to the latter, who then has no more.
 */
export function hasMore(all: Iterable<Owned>, owner: ScriptOwner, other: ScriptOwner): boolean {
  const [more, fewer] = [countOf(all, owner), countOf(all, other)];
  return isOfInstance(owner, other) ? more.organization >= fewer.organization + 2 : more.instance >= fewer.instance + 2;
}

/** Whether an owner may begin another run. */
export function hasRoom(runs: ReadonlySet<Owned>, whose: ScriptOwner, { permits, shares }: Room): boolean {
  const [ofInstance, ofOrganization] = shares;
  const { instance, organization } = countOf(runs, whose);
  return runs.size < permits && instance < ofInstance && organization < ofOrganization;
}

/**
 * Returns the runs whose end lets an owner's next run begin: none where it waits for its own organization's, and those
 * of its own instance where it waits because of that one's share.
 */
export function blockingRuns<Run extends Owned>(
  runs: ReadonlySet<Run>,
  whose: ScriptOwner,
  { permits, shares: [ofInstance, ofOrganization] }: Room,
): Run[] {
  const { instance, organization } = countOf(runs, whose);
  const others = [...runs].filter((run) => !isOfOrganization(run.whose, whose));
  if (organization >= ofOrganization) return [];
  if (instance >= ofInstance) return others.filter((run) => isOfInstance(run.whose, whose));
  return runs.size < permits ? [] : others;
}
