import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findProject } from "./project.store.ts";
import { projectAbsence } from "./project.ts";
import { type ListedProject, listProjectRows } from "./project-list.store.ts";

/** Returns the project as the caller sees it: as its owner does, otherwise as it was lent. */
export async function getProject(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly projectId: string },
): Promise<ListedProject> {
  const { access } = requireCaller(call);
  const project = await findProject(deps.database.read, call.instanceId, input.projectId);
  if (project !== undefined && access.allows(projectAbsence.readPermission, project)) return project;
  const { rows } = await listProjectRows(deps.database.read, call.instanceId, {
    reach: access.reach(projectAbsence.readPermission),
    filters: [{ kind: "ids", projectIds: [input.projectId] }],
    orderBy: "created_at",
    isDescending: false,
    page: { offset: 0, limit: 1 },
  });
  const [lent] = rows;
  if (lent === undefined) throw new Fault("not_found", projectAbsence.absent);
  return lent;
}
