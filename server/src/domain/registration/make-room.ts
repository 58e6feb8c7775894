import { blockOf } from "../../base/budget/network-of.ts";
import type { Tx } from "../../database/index.ts";
import { type Application, holdApplication } from "../application/index.ts";
import { countDispensable, isDispensable, listDispensable, type SourceCount } from "./strangers-registration.store.ts";

export interface RoomDeps {
  /** Step of a later module (`deletion`): deletes a locked application with everything that was issued to it. */
  readonly discardApplication: (tx: Tx, application: Application) => Promise<void>;
}

/**
 * Step: removes a client for one of another source: the newest unused one of the block that has most, and of the source
 * that has most in it, as `base/budget/fair-turns.ts` chooses. So a few sources do not close registration to others,
 * and sources that have equally many take nothing from one another. Returns false when that is the newcomer's source.
 */
export async function makeRoom(tx: Tx, { discardApplication }: RoomDeps, newcomer = ""): Promise<boolean> {
  const giving = sourceThatGives(await countDispensable(tx), newcomer);
  if (giving === undefined) return false;
  for (const applicationId of await listDispensable(tx, giving, mostTries)) {
    const application = await holdApplication(tx, applicationId);
    // A user may have let it in until it was held, or an administrator vouched for it.
    if (application === undefined || !(await isDispensable(tx, applicationId))) continue;
    await discardApplication(tx, application);
    return true;
  }
  return false;
}

const mostTries = 5;

function sourceThatGives(counts: readonly SourceCount[], newcomer: string): string | undefined {
  const block = mostOf(counts, ({ source }) => blockOf(source), blockOf(newcomer));
  const isOfNewcomer = block === blockOf(newcomer);
  const inBlock = counts.filter(({ source }) => blockOf(source) === block);
  const source = mostOf(inBlock, (one) => one.source, isOfNewcomer ? newcomer : undefined);
  return source === newcomer ? undefined : source;
}

/** Returns the name with most clients, the newcomer's with the one that is to come; among equals this one. */
function mostOf(
  counts: readonly SourceCount[],
  nameOf: (count: SourceCount) => string,
  newcomer: string | undefined,
): string | undefined {
  const sums = new Map<string, number>(newcomer === undefined ? [] : [[newcomer, 1]]);
  for (const count of counts) sums.set(nameOf(count), (sums.get(nameOf(count)) ?? 0) + count.count);
  let most: [string | undefined, number] = [undefined, 0];
  for (const entry of sums) if (entry[1] > most[1]) most = entry;
  return most[0];
}
