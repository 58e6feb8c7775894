import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { projectAbsence } from "./project.ts";
import { type ListedProject, listProjectRows, type ProjectListQuery } from "./project-list.store.ts";

/** Projects that the caller may read: those of the owner's side, and those that were lent to where the caller may read. */
export async function listProjects(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ProjectListQuery, "reach">,
): Promise<List<ListedProject>> {
  const reach = requireCaller(call).access.reach(projectAbsence.readPermission);
  return listProjectRows(deps.database.read, call.instanceId, { ...input, reach });
}
