import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { createFindOwnOrganizations, type OwnOrganizationDeps } from "../../../../domain/authorization/index.ts";
import { listOrganizationRows } from "../../../../domain/organization/index.ts";
import { type Binding, bind, toListDetailsV1, toPageV1 } from "../../../contract/index.ts";
import { toOrgFilter, toOrgOrder, toOrgV1 } from "../../common/organization/organization-message.ts";

/** AuthService: organizations of the caller. */
export function authOrganizationMethods(deps: OwnOrganizationDeps): Binding {
  const findOwnOrganizations = createFindOwnOrganizations(deps);
  return bind(AuthService, {
    async listMyProjectOrgs(call, { query, queries, sortingColumn }) {
      const search = {
        ...toPageV1(query),
        filters: queries.map(toOrgFilter),
        orderBy: toOrgOrder(sortingColumn),
      };
      const reach = await findOwnOrganizations(call);
      const found = await listOrganizationRows(deps.database.read, call.instanceId, { reach, search });
      return { details: toListDetailsV1(found.total, call.now), result: found.organizations.map(toOrgV1) };
    },
  });
}
