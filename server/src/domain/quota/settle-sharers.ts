import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../database/index.ts";
import { queueCall } from "./claim-quota-call.ts";
import type { Counter } from "./counter.ts";
import { findSharers, insertSharers, listScriptOwners } from "./sharers.store.ts";

export interface SettleSharersDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Returns the organizations that have a part in the period of a counter: at once when this process knows them. */
export type SettleSharers = (counter: Counter) => readonly string[] | Promise<readonly string[]>;

/**
 * Creates the function that settles which organizations have a part in a period: those that have scripts at a trigger
 * when it is first called, and had some before the period. All processes keep to the result until the period ends.
 * Otherwise an organization that is deleted, removes its scripts or adds some would change the parts of others, who
 * have already used time by the former ones.
 */
export function createSettleSharers({ database, clock }: SettleSharersDeps): SettleSharers {
  const running = new WeakMap<Counter, Promise<readonly string[]>>();
  const settle = async (counter: Counter): Promise<readonly string[]> => {
    const { quota, periodStart } = counter;
    const { instanceId } = quota;
    let sharers = await findSharers(database.read, quota, periodStart);
    if (sharers === undefined) {
      const owners = await listScriptOwners(database.read, instanceId, periodStart);
      const inserted = await database.touch(queueCall(instanceId, clock()), (tx) =>
        insertSharers(tx, quota, { periodStart, sharers: owners }),
      );
      sharers = inserted ?? owners;
    }
    counter.sharers = sharers;
    return sharers;
  };
  return (counter) => {
    if (counter.sharers !== undefined) return counter.sharers;
    const settling = running.get(counter) ?? settle(counter).finally(() => running.delete(counter));
    running.set(counter, settling);
    return settling;
  };
}
