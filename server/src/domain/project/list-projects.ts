import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { projectAbsence } from "./project.ts";
import { type ListedProject, listProjectRows, type ProjectListQuery } from "./project-list.store.ts";

/**
 * Lists projects that the caller may read: on the owner's side, and those lent to an organization where the caller may
 * read.
 */
export async function listProjects(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ProjectListQuery, "reach">,
): Promise<List<ListedProject>> {
  const reach = requireCaller(call).access.reach(projectAbsence.readPermission);
  return listProjectRows(deps.database.read, call.instanceId, { ...input, reach });
}
