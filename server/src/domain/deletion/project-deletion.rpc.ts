import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteApplication } from "./delete-application.ts";
import { deleteProject } from "./delete-project.ts";
import { deleteProjectGrant } from "./delete-project-grant.ts";
import { removeProjectRole } from "./remove-project-role.ts";
import { updateProjectGrant } from "./update-project-grant.ts";

/** Methods that delete projects or parts of them, with everything that depends on them. */
export const projectDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(ProjectService, {
    async deleteProject(call, { projectId }) {
      const { deletedAt } = await deleteProject(deps, call, { projectId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async removeProjectRole(call, { projectId, roleKey }) {
      const { removedAt } = await removeProjectRole(deps, call, { projectId, roleKey });
      return removedAt === undefined ? {} : { removalDate: toTimestamp(removedAt) };
    },
    async updateProjectGrant(call, request) {
      return { changeDate: toTimestamp((await updateProjectGrant(deps, call, request)).changedAt) };
    },
    async deleteProjectGrant(call, { projectId, grantedOrganizationId }) {
      const { deletedAt } = await deleteProjectGrant(deps, call, { projectId, grantedOrganizationId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });

/** Deletion of an application. */
export const applicationDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(ApplicationService, {
    async deleteApplication(call, { applicationId, projectId }) {
      const { deletedAt } = await deleteApplication(deps, call, { applicationId, projectId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });
