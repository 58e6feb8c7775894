import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  deleteOrganizationMetadata,
  getOrganization,
  listOrganizationMetadata,
  setOrganizationMetadata,
} from "../../../../domain/organization/index.ts";
import {
  type Binding,
  bind,
  toListDetailsV1,
  toMetadataFiltersV1,
  toMetadataMessageV1,
  toObjectDetails,
  toPageV1,
} from "../../../contract/index.ts";

/** ManagementService: metadata of the organization of the call. */
export function managementOrganizationMetadataMethods(deps: { readonly database: Database }): Binding {
  const changed = async (call: Call) => ({
    details: toObjectDetails((await getOrganization(deps, call, ofCall(call))).details),
  });
  return bind(ManagementService, {
    async listOrgMetadata(call, { query, queries }) {
      const { metadata, total } = await listOrganizationMetadata(deps, call, {
        ...toPageV1(query),
        organizationId: ofCall(call),
        keyFilters: toMetadataFiltersV1(queries),
      });
      return {
        details: toListDetailsV1(total, call.now),
        result: metadata.map((pair) => toMetadataMessageV1(pair, ofCall(call))),
      };
    },
    async getOrgMetadata(call, { key }) {
      const wanted = { organizationId: ofCall(call), keyFilters: [{ key, method: "equals" as const }] };
      const page = { page: { offset: 0, limit: 1 }, isDescending: false };
      const { metadata } = await listOrganizationMetadata(deps, call, { ...wanted, ...page });
      if (metadata[0] === undefined) throw new Fault("not_found", "metadata.not_found", { field: "key" });
      return { metadata: toMetadataMessageV1(metadata[0], ofCall(call)) };
    },
    async setOrgMetadata(call, { key, value }) {
      await setOrganizationMetadata(deps, call, { organizationId: ofCall(call), entries: [{ key, value }] });
      return changed(call);
    },
    async bulkSetOrgMetadata(call, { metadata }) {
      await setOrganizationMetadata(deps, call, { organizationId: ofCall(call), entries: metadata });
      return changed(call);
    },
    async removeOrgMetadata(call, { key }) {
      await deleteOrganizationMetadata(deps, call, { organizationId: ofCall(call), keys: [key] });
      return changed(call);
    },
    async bulkRemoveOrgMetadata(call, { keys }) {
      await deleteOrganizationMetadata(deps, call, { organizationId: ofCall(call), keys });
      return changed(call);
    },
  });
}

const ofCall = ({ organizationId = "" }: Call): string => organizationId;
