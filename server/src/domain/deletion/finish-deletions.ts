import { type Clock, minutes } from "../../base/clock.ts";
import { type Call, createAccess } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdOrganization, listDeletions, type OrganizationDeletion } from "../organization/index.ts";
import { discardOrganization } from "./delete-organization.ts";

/** What finishing deletions needs. */
export interface FinishDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// By then the request has finished, or its node has stopped. Both at once would only wait for one another.
const timeOfRequest = minutes(5);

/**
 * Finishes deletions of organizations that were begun and whose request did not end, for the job. Their events name the
 * caller who began. Returns how many organizations are gone.
 */
export async function finishDeletions({ database, clock }: FinishDeps, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const { instanceId, organizationId, ...deletion } of await listDeletions(database.read)) {
    if (signal?.aborted) break;
    if (deletion.begunAt > clock() - timeOfRequest) continue;
    const isGone = await database.change(callOf(deletion, instanceId, clock()), async (tx) => {
      const organization = await holdOrganization(tx, organizationId, "alone");
      if (organization === undefined) return false;
      await discardOrganization(tx, organization);
      return true;
    });
    if (isGone) count++;
  }
  return count;
}

function callOf({ requestId, userId, clientId }: OrganizationDeletion, instanceId: string, now: number): Call {
  const call: Call = { instanceId, requestId, now, language: "en" };
  if (userId === undefined) return call;
  const caller = { userId, organizationId: "", access: createAccess([]), ...(clientId !== undefined && { clientId }) };
  return { ...call, caller };
}
