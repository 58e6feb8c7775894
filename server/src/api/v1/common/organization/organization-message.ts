import type { MessageInitShape } from "@bufbuild/protobuf";
import { OrgFieldName, type OrgQuery, type OrgSchema, OrgState } from "@doorward/api/service/org/v1/org_pb";
import type {
  Organization,
  OrganizationFilter,
  OrganizationSearch,
  OrganizationState,
} from "../../../../domain/organization/index.ts";
import { refuseFilter, toObjectDetails, toTextMethod } from "../../../contract/index.ts";

const states = {
  active: OrgState.ACTIVE,
  inactive: OrgState.INACTIVE,
} as const satisfies Record<OrganizationState, OrgState>;

/** Converts an organization to the message of the first generation of the API. */
export function toOrgV1(organization: Organization): MessageInitShape<typeof OrgSchema> {
  const { organizationId, name, state, isDeactivatedByInstance, primaryDomain, details } = organization;
  return {
    id: organizationId,
    name,
    primaryDomain,
    state: states[state],
    deactivatedByInstance: isDeactivatedByInstance,
    details: toObjectDetails(details),
  };
}

export const toOrgOrder = (column: OrgFieldName): OrganizationSearch["orderBy"] =>
  column === OrgFieldName.NAME ? "name" : "created_at";

/** Converts a condition of the first generation; `index` is its position in the request. */
export function toOrgFilter({ query }: OrgQuery, index: number): OrganizationFilter {
  switch (query.case) {
    case "nameQuery":
      return { by: "name", method: toTextMethod(query.value.method), name: query.value.name };
    case "domainQuery":
      return { by: "domain", method: toTextMethod(query.value.method), domain: query.value.domain };
    case "stateQuery": {
      const { state } = query.value;
      // Removed organizations have no rows, so none is in that state.
      return {
        by: "state",
        state: (Object.keys(states) as OrganizationState[]).find((name) => states[name] === state),
      };
    }
    case "idQuery":
      return { by: "id", organizationId: query.value.id };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
