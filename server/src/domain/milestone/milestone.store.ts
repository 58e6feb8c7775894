import { type Reader, sql, type Tx } from "../../database/index.ts";
import type { MilestoneType } from "./milestone.ts";

/** Notes that the instance reached a milestone now; false when that happened before. */
export async function insertMilestone(tx: Tx, type: MilestoneType): Promise<boolean> {
  const count = await tx.run(sql`insert into milestones (instance_id, type, reached_at)
    values (${tx.instanceId}, ${type}, ${tx.now}) on conflict (instance_id, type) do nothing`);
  return count === 1;
}

/** The same, unless the project is the instance's own. */
export async function insertMilestoneOfProject(tx: Tx, type: MilestoneType, projectId: string): Promise<boolean> {
  const count = await tx.run(sql`insert into milestones (instance_id, type, reached_at)
    select instance_id, ${type}, cast(${tx.now} as bigint) from instances
      where instance_id = ${tx.instanceId} and system_project_id <> ${projectId}
    on conflict (instance_id, type) do nothing`);
  return count === 1;
}

/** Lists the milestones that an instance has reached. */
export function listReached(
  reader: Reader,
  instanceId: string,
): Promise<{ readonly type: MilestoneType; readonly reachedAt: number }[]> {
  return reader.all(sql`select type, reached_at as "reachedAt" from milestones where instance_id = ${instanceId}`);
}
