import { type Clock, minutes } from "../../base/clock.ts";
import { type Call, createAccess } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { holdOrganizationToDelete, listDeletions, type OrganizationDeletion } from "../organization/index.ts";
import { discardOrganization } from "./delete-organization.ts";

/** What finishing deletions needs. */
export interface FinishDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// By then the request has finished, or its node has stopped. If both ran at once, they would only block each other.
const timeOfRequest = minutes(5);

/**
 * Finishes deletions of organizations that were begun and whose request did not end, for the job. Their events name the
 * caller who began. Returns how many organizations are gone.
 */
export async function finishDeletions({ database, clock }: FinishDeps, signal?: AbortSignal): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for (const { instanceId, organizationId, ...deletion } of await listDeletions(database.read)) {
    if (signal?.aborted) break;
    if (deletion.begunAt > clock() - timeOfRequest) continue;
    const call = callOf(deletion, instanceId, clock());
    try {
      if (await database.change(call, (tx) => finishDeletion(tx, organizationId))) count++;
    } catch (error) {
      failures.push(error);
    }
  }
  // One that fails does not keep the others.
  if (failures.length > 0) throw new AggregateError(failures, "deletions of organizations were not finished");
  return count;
}

async function finishDeletion(tx: Tx, organizationId: string): Promise<boolean> {
  const organization = await holdOrganizationToDelete(tx, organizationId);
  if (organization === undefined) return false;
  await discardOrganization(tx, organization);
  return true;
}

function callOf({ requestId, userId, clientId }: OrganizationDeletion, instanceId: string, now: number): Call {
  const call: Call = { instanceId, requestId, now, language: "en" };
  if (userId === undefined) return call;
  const caller = { userId, organizationId: "", access: createAccess([]), ...(clientId !== undefined && { clientId }) };
  return { ...call, caller };
}
