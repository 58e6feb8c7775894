import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findTarget } from "./target.store.ts";
import { type Target, targetAbsent } from "./target.ts";

/** Returns a target of the instance. Throws the Fault `target.not_found`. */
export async function getTarget(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly targetId: string },
): Promise<Target> {
  const target = await findTarget(deps.database.read, call.instanceId, input.targetId);
  if (target === undefined) throw targetAbsent("id");
  return target;
}
