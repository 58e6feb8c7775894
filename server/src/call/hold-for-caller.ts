import { requireCaller } from "./authorize.ts";
import type { Call } from "./call.ts";

/** How a unit of work gets at something that it changes: by a read, and locked until it ends. */
interface Holdable<Thing> {
  find(): Promise<Thing | undefined>;
  hold(): Promise<Thing | undefined>;
}

/**
 * Step: has something alone until the unit of work ends, for a caller whom `judge` lets do so. Others are refused by
 * what a read finds: a unit that waits for a row to have it alone keeps out all that would share it. Callers with the
 * permission everywhere need no read. What was read may change meanwhile, so the held row is judged as well.
 */
export async function holdForCaller<Thing, Result>(
  call: Call,
  permission: string,
  { find, hold }: Holdable<Thing>,
  judge: (thing: Thing | undefined) => Result | Promise<Result>,
): Promise<Result> {
  if (!requireCaller(call).access.allows(permission, {})) await judge(await find());
  return judge(await hold());
}
