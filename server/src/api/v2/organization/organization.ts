import type { MessageInitShape } from "@bufbuild/protobuf";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { type OrganizationSchema, OrganizationState as WireState } from "@doorward/api/service/org/v2/organization_pb";
import { OrganizationFieldName, type SearchQuery } from "@doorward/api/service/org/v2/query_pb";
import {
  activateOrganization,
  type DeactivateOrganizationDeps,
  deactivateOrganization,
  listOrganizations,
  type Organization,
  type OrganizationFilter,
  type OrganizationState,
  updateOrganization,
} from "../../../domain/organization/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toDetails,
  toListDetails,
  toPage,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on organizations themselves. Creation and deletion: `setup`, `deletion`. */
export const organizationMethods = (deps: DeactivateOrganizationDeps): Binding =>
  bind(OrganizationService, {
    async updateOrganization(call, request) {
      return { changeDate: toTimestamp((await updateOrganization(deps, call, request)).changedAt) };
    },
    async activateOrganization(call, { organizationId }) {
      return { changeDate: toTimestamp((await activateOrganization(deps, call, organizationId)).changedAt) };
    },
    async deactivateOrganization(call, { organizationId }) {
      return { changeDate: toTimestamp((await deactivateOrganization(deps, call, organizationId)).changedAt) };
    },
    async listOrganizations(call, { query, queries, sortingColumn }) {
      const { organizations, total } = await listOrganizations(deps, call, {
        ...toPage(query, "query"),
        filters: queries.map(toFilter),
        orderBy: sortingColumn === OrganizationFieldName.NAME ? "name" : "created_at",
      });
      return { details: toListDetails(total, call.now), sortingColumn, result: organizations.map(toMessage) };
    },
  });

const wireStates = {
  active: WireState.ACTIVE,
  inactive: WireState.INACTIVE,
} as const satisfies Record<OrganizationState, WireState>;

function toMessage(organization: Organization): MessageInitShape<typeof OrganizationSchema> {
  const { organizationId, name, state, primaryDomain, details } = organization;
  return { id: organizationId, name, primaryDomain, state: wireStates[state], details: toDetails(details) };
}

function toFilter({ query }: SearchQuery, index: number): OrganizationFilter {
  switch (query.case) {
    case "nameQuery":
      return { by: "name", method: toTextMethod(query.value.method), name: query.value.name };
    case "domainQuery":
      return { by: "domain", method: toTextMethod(query.value.method), domain: query.value.domain };
    case "stateQuery":
      return { by: "state", state: toState(query.value.state) };
    case "idQuery":
      return { by: "id", organizationId: query.value.id };
    case "inIdsQuery":
      return { by: "ids", organizationIds: query.value.ids };
    case "defaultQuery":
      return { by: "default" };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}

// Removed organizations have no rows, so none is in that state, nor in the unspecified one.
function toState(state: WireState): OrganizationState | undefined {
  if (state === WireState.ACTIVE) return "active";
  return state === WireState.INACTIVE ? "inactive" : undefined;
}
