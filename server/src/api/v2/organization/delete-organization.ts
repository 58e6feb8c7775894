import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Database } from "../../../database/index.ts";
import { deleteOrganization } from "../../../domain/deletion/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

/** OrganizationService: deletion of organizations. */
export const organizationDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(OrganizationService, {
    async deleteOrganization(call, request) {
      const { deletedAt } = await deleteOrganization(deps, call, request);
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });
