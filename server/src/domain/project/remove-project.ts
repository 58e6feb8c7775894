import type { Tx } from "../../database/index.ts";
import { deleteProjectRow } from "./project.store.ts";
import { type Project, projectAggregate } from "./project.ts";

/**
 * Step: deletes a project that is locked exclusively, with its roles. The caller (`deletion`) deletes what else depends
 * on it.
 */
export async function removeProject(tx: Tx, project: Project): Promise<void> {
  const sequence = await deleteProjectRow(tx, project.projectId);
  if (sequence === undefined) return;
  tx.record({ type: "project.deleted", ...projectAggregate(project), sequence, payload: { name: project.name } });
}
