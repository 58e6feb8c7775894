import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { deletionOfOrganizations } from "../../common/organization/delete-organization.ts";

/** ManagementService: deletion of the organization of the call. */
export function managementOrganizationDeletionMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfOrganizations(deps);
  return bind(ManagementService, { removeOrg: (call) => remove(call, call.organizationId ?? "") });
}
