import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails, toRemovalDetails } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { requireProjectOfOrganization } from "../project/index.ts";
import { deleteProject } from "./delete-project.ts";
import { removeProjectRole } from "./remove-project-role.ts";

/** ManagementService: taking away projects of the organization of the call, and what is in them. */
export const managedProjectDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(ManagementService, {
    async removeProject(call, { id: projectId }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      await deleteProject(deps, call, { projectId });
      return { details: toRemovalDetails(call.now, requireOrganization(call)) };
    },
    // A role that the project does not have is fine: then nothing changes.
    async removeProjectRole(call, { projectId, roleKey }) {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      await removeProjectRole(deps, call, { projectId, roleKey });
      const { details } = await requireProjectOfOrganization(deps.database.read, call, projectId);
      return { details: toObjectDetails(details) };
    },
  });
