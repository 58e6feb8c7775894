import { Fault } from "../../base/fault.ts";
import { type Call, requireOrganization } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findProject } from "./project.store.ts";
import { type Project, projectAbsence } from "./project.ts";

/**
 * Returns the project if it belongs to the organization of a call of the first generation; any other is not found.
 * `absent`: what is not found then. Where a request names a grant, that is the grant: a caller who holds any grant may
 * name any organization and project, and must not learn which belong together.
 */
export async function requireProjectOfOrganization(
  reader: Reader,
  call: Call,
  projectId: string,
  absent: "project.not_found" | "project_grant.not_found" = projectAbsence.absent,
): Promise<Project> {
  const organizationId = requireOrganization(call);
  const project = await findProject(reader, call.instanceId, projectId);
  if (project?.organizationId !== organizationId) throw new Fault("not_found", absent);
  return project;
}
