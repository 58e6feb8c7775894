import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import type { Call, Reach } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { listOrganizationRows } from "../../../../domain/organization/index.ts";
import { type Binding, bind, toListDetailsV1, toPage } from "../../../contract/index.ts";
import { toOrgFilter, toOrgOrder, toOrgV1 } from "../../common/organization/organization-message.ts";

/** Returns the organizations between which a caller chooses; implemented by a later module (`authorization`). */
export type FindOwnOrganizations = (call: Call) => Promise<Reach>;

/** AuthService: organizations of the caller. */
export const authOrganizationMethods = (deps: {
  readonly database: Database;
  readonly findOwnOrganizations: FindOwnOrganizations;
}): Binding =>
  bind(AuthService, {
    async listMyProjectOrgs(call, { query, queries, sortingColumn }) {
      const search = {
        ...toPage(query, "query"),
        filters: queries.map(toOrgFilter),
        orderBy: toOrgOrder(sortingColumn),
      };
      const reach = await deps.findOwnOrganizations(call);
      const found = await listOrganizationRows(deps.database.read, call.instanceId, { reach, search });
      return { details: toListDetailsV1(found.total, call.now), result: found.organizations.map(toOrgV1) };
    },
  });
