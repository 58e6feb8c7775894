import type { Clock } from "../base/clock.ts";
import type { Call } from "../call/index.ts";
import type { CommittedEvent, Database, Warn } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import type { FindInstanceById } from "../domain/instance/index.ts";
import { listReached, type MilestoneType, reachMilestone } from "../domain/milestone/index.ts";
import { findFamily } from "../domain/token/index.ts";

export interface WatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly clients: ClientDirectory;
  readonly findInstanceById: FindInstanceById;
  readonly warn: Warn;
}

/** Notes the first sign-ins of instances. */
export interface MilestoneWatch {
  start(): void;
  stop(): Promise<void>;
}

const onInstance: MilestoneType = "authentication_succeeded_on_instance";
const onApplication: MilestoneType = "authentication_succeeded_on_application";

// Instances that are known to need no more looks. Beyond that they are looked at once more.
const mostKnown = 10_000;

/**
 * Creates the watch over tokens that this process issues. Each node watches its own. Once an instance has reached both
 * milestones, an event costs a look into a set; before that, a read. What a crash loses, the next sign-in makes up for.
 */
export function createMilestoneWatch(deps: WatchDeps): MilestoneWatch {
  const complete = new Set<string>();
  // The newest event of each instance that waits while an earlier one is looked at.
  const waiting = new Map<string, string | undefined>();
  const looking = new Set<Promise<void>>();
  let unsubscribe = (): void => {};

  const look = async (instanceId: string, familyId: string): Promise<void> => {
    for (let next: string | undefined = familyId; next !== undefined; next = waiting.get(instanceId)) {
      waiting.set(instanceId, undefined);
      if (await noteSignIn(deps, instanceId, next)) {
        if (complete.size >= mostKnown) complete.clear();
        complete.add(instanceId);
        break;
      }
    }
    waiting.delete(instanceId);
  };
  const committed = ({ type, instanceId, aggregateId }: CommittedEvent): void => {
    if (type !== "token_family.created" || complete.has(instanceId)) return;
    if (waiting.has(instanceId)) {
      waiting.set(instanceId, aggregateId);
      return;
    }
    waiting.set(instanceId, undefined);
    const looked = look(instanceId, aggregateId)
      .catch((error: unknown) => {
        waiting.delete(instanceId);
        deps.warn("a milestone could not be noted", { instanceId, error });
      })
      .finally(() => looking.delete(looked));
    looking.add(looked);
  };
  return {
    start: () => {
      unsubscribe = deps.database.onCommitted({ committed, missed: () => {} });
    },
    stop: async () => {
      unsubscribe();
      await Promise.all(looking);
    },
  };
}

/** Notes what the tokens of a sign-in reach. Returns whether the instance has nothing left to reach by sign-ins. */
async function noteSignIn(
  { database, clock, clients, findInstanceById }: WatchDeps,
  instanceId: string,
  familyId: string,
): Promise<boolean> {
  const reached = new Set((await listReached(database.read, instanceId)).map(({ type }) => type));
  if (reached.has(onApplication) && reached.has(onInstance)) return true;
  const family = await findFamily(database.read, instanceId, familyId);
  // Tokens of a client for itself are no sign-in.
  if (family?.userId === undefined) return false;
  const client = await clients.find(instanceId, family.clientId);
  const isOfOwn = client?.projectId === (await findInstanceById(instanceId))?.systemProjectId;
  if (reached.has(onInstance) && (client === undefined || isOfOwn)) return false;
  const call: Call = { instanceId, requestId: "milestones", now: clock(), language: "en" };
  await database.change(call, async (tx) => {
    await reachMilestone(tx, onInstance);
    if (client !== undefined) await reachMilestone(tx, onApplication, client.projectId);
  });
  return false;
}
