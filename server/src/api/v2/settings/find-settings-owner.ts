import { Fault } from "../../../base/fault.ts";
import type { Call } from "../../../call/index.ts";
import type { Database } from "../../../database/index.ts";
import { findApplication } from "../../../domain/application/index.ts";
import { findProject } from "../../../domain/project/index.ts";

/** Finds the organization whose settings apply to a project or an application. Refuses unknown resources. */
export async function findSettingsOwner(
  { database: { read } }: { readonly database: Database },
  { instanceId }: Call,
  resource: { readonly projectId: string | undefined; readonly applicationId: string | undefined },
): Promise<string | undefined> {
  const { projectId, applicationId } = resource;
  if (applicationId !== undefined) {
    const application = await findApplication(read, instanceId, applicationId);
    if (application === undefined || (projectId ?? application.projectId) !== application.projectId) {
      throw new Fault("not_found", "application.not_found", { field: "applicationId" });
    }
    return application.organizationId;
  }
  if (projectId === undefined) return undefined;
  const project = await findProject(read, instanceId, projectId);
  if (project === undefined) throw new Fault("not_found", "project.not_found", { field: "projectId" });
  return project.organizationId;
}
