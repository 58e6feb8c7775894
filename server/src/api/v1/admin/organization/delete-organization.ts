import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { deletionOfOrganizations } from "../../common/organization/delete-organization.ts";

/** AdminService: deletion of organizations. */
export function adminOrganizationDeletionMethods(deps: { readonly database: Database }): Binding {
  const { remove } = deletionOfOrganizations(deps);
  return bind(AdminService, { removeOrg: (call, { orgId }) => remove(call, orgId) });
}
