import { minutes } from "../../base/clock.ts";
import { listUnfinishedClaims } from "../organization/index.ts";
import { type ClaimDeps, finishClaim } from "./finish-claim.ts";

// By then the request has finished, or its node has stopped.
const timeOfBatch = minutes(5);

/** For the job: finishes the claims of domains, in all instances, whose request did not end. Returns how many. */
export async function finishClaims(deps: ClaimDeps, signal?: AbortSignal): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for (const { instanceId, at, ...claim } of await listUnfinishedClaims(deps.database.read)) {
    if (signal?.aborted) break;
    const now = deps.clock();
    if (at > now - timeOfBatch) continue;
    try {
      await finishClaim(deps, { instanceId, requestId: "job finish_claims", now, language: "en" }, claim, signal);
      if (!signal?.aborted) count++;
    } catch (error) {
      failures.push(error);
    }
  }
  // One that fails does not keep the others.
  if (failures.length > 0) throw new AggregateError(failures, "claims of domains were not finished");
  return count;
}
