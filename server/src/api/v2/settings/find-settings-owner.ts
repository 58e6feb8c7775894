import type { Domain } from "../../../app/domain.ts";
import { Fault } from "../../../base/fault.ts";
import { findApplication } from "../../../domain/application/index.ts";
import { findProject } from "../../../domain/project/index.ts";
import type { FindSettingsOwner } from "./link-settings.ts";

/** Finds the organization whose settings apply to a project or an application. */
export function createFindSettingsOwner({ database }: Pick<Domain, "database">): FindSettingsOwner {
  return async (call, { projectId, applicationId }) => {
    const { read } = database;
    if (applicationId !== undefined) {
      const application = await findApplication(read, call.instanceId, applicationId);
      if (application === undefined || (projectId ?? application.projectId) !== application.projectId) {
        throw new Fault("not_found", "application.not_found", { field: "applicationId" });
      }
      return application.organizationId;
    }
    if (projectId === undefined) return undefined;
    const project = await findProject(read, call.instanceId, projectId);
    if (project === undefined) throw new Fault("not_found", "project.not_found", { field: "projectId" });
    return project.organizationId;
  };
}
