import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { Database } from "../../../database/index.ts";
import { deleteApplication } from "../../../domain/deletion/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

/** Deletion of an application. */
export const applicationDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(ApplicationService, {
    async deleteApplication(call, { applicationId, projectId }) {
      const { deletedAt } = await deleteApplication(deps, call, { applicationId, projectId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });
