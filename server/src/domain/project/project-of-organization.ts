import { Fault } from "../../base/fault.ts";
import { type Call, requireOrganization } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findProject } from "./project.store.ts";
import { type Project, projectAbsence } from "./project.ts";

/** Returns the project if it belongs to the organization of a call of the first generation; any other is not found. */
export async function requireProjectOfOrganization(reader: Reader, call: Call, projectId: string): Promise<Project> {
  const organizationId = requireOrganization(call);
  const project = await findProject(reader, call.instanceId, projectId);
  if (project?.organizationId !== organizationId) throw new Fault("not_found", projectAbsence.absent);
  return project;
}
