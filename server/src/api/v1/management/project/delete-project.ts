import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  deleteApplication,
  deleteProject,
  deleteProjectGrant,
  removeProjectRole,
  updateProjectGrant,
} from "../../../../domain/deletion/index.ts";
import { requireProjectOfOrganization } from "../../../../domain/project/index.ts";
import { type Binding, bind, toObjectDetails, toRemovalDetails } from "../../../contract/index.ts";

/** ManagementService: deletion of projects of the organization of the call, and of parts of them. */
export const managementProjectDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(ManagementService, {
    async removeProject(call, { id: projectId }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      await deleteProject(deps, call, { projectId });
      return { details: toRemovalDetails(call.now, requireOrganization(call)) };
    },
    // Removing a role that the project does not have succeeds, and nothing changes.
    async removeProjectRole(call, { projectId, roleKey }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      await removeProjectRole(deps, call, { projectId, roleKey });
      const { details } = await requireProjectOfOrganization(deps.database.read, call, projectId);
      return { details: toObjectDetails(details) };
    },
    async removeApp(call, { projectId, appId: applicationId }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      const { deletedAt } = await deleteApplication(deps, call, { projectId, applicationId });
      if (deletedAt === undefined) throw new Fault("not_found", "application.not_found");
      return { details: toRemovalDetails(deletedAt, requireOrganization(call)) };
    },
    async updateProjectGrant(call, { projectId, grantId, roleKeys }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId, "project_grant.not_found");
      return { details: toObjectDetails(await updateProjectGrant(deps, call, { projectId, grantId, roleKeys })) };
    },
    async removeProjectGrant(call, { projectId, grantId }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId, "project_grant.not_found");
      const { deletedAt } = await deleteProjectGrant(deps, call, { projectId, grantId });
      if (deletedAt === undefined) throw new Fault("not_found", "project_grant.not_found");
      return { details: toRemovalDetails(deletedAt, requireOrganization(call)) };
    },
  });
