import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteOrganization } from "./delete-organization.ts";

/** OrganizationService: deleting organizations. */
export const organizationDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(OrganizationService, {
    async deleteOrganization(call, request) {
      const { deletedAt } = await deleteOrganization(deps, call, request);
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });
