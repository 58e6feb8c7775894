import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  deleteProject,
  deleteProjectGrant,
  removeProjectRole,
  updateProjectGrant,
} from "../../../domain/deletion/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

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
