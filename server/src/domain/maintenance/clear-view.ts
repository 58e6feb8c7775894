import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import { listFollowers } from "../../event/index.ts";
import type { ViewDeps } from "./list-views.ts";

/**
 * Makes a job due at once in this process, for system users: any number of runs do no harm. A feed is refused, because
 * what follows from its events was delivered and would be delivered again.
 */
export async function clearView(
  { database, jobRuns }: ViewDeps,
  call: Call,
  { kind, name }: { readonly kind: string; readonly name: string },
): Promise<void> {
  requirePermission(call, "system.debug.write", {});
  if (kind === "jobs" && jobRuns.hasten(name)) return;
  const isFeed = kind === "feeds" && (await listFollowers(database.read)).some(({ follower }) => follower === name);
  if (isFeed) throw new Fault("failed_precondition", "view.would_deliver_again", { field: "view_name" });
  throw new Fault("not_found", "view.not_found", { field: "view_name" });
}
