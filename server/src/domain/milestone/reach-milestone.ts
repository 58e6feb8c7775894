import type { Tx } from "../../database/index.ts";
import { insertMilestone, insertMilestoneOfProject } from "./milestone.store.ts";
import { type MilestoneType, milestoneAggregate } from "./milestone.ts";

/**
 * Step: notes and records that the instance reached a milestone, unless it did so before. `projectId` is the project by
 * which it is reached; the instance's own does not count.
 */
export async function reachMilestone(tx: Tx, type: MilestoneType, projectId?: string): Promise<void> {
  const isNew =
    projectId === undefined ? await insertMilestone(tx, type) : await insertMilestoneOfProject(tx, type, projectId);
  if (!isNew) return;
  tx.record({ type: "milestone.reached", ...milestoneAggregate(tx.instanceId, type), sequence: 1, payload: { type } });
}
