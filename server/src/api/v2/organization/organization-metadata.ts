import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  deleteOrganizationMetadata,
  listOrganizationMetadata,
  setOrganizationMetadata,
} from "../../../domain/organization/index.ts";
import {
  type Binding,
  bind,
  toMetadataFilters,
  toMetadataMessage,
  toPage,
  toPagination,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on the metadata of organizations. */
export const organizationMetadataMethods = (deps: { readonly database: Database }): Binding =>
  bind(OrganizationService, {
    async setOrganizationMetadata(call, { organizationId, metadata }) {
      const { setAt } = await setOrganizationMetadata(deps, call, { organizationId, entries: metadata });
      return { setDate: toTimestamp(setAt) };
    },
    async deleteOrganizationMetadata(call, request) {
      return { deletionDate: toTimestamp((await deleteOrganizationMetadata(deps, call, request)).deletedAt) };
    },
    async listOrganizationMetadata(call, { organizationId, pagination, filters }) {
      const page = toPage(pagination);
      const keyFilters = toMetadataFilters(filters);
      const { metadata, total } = await listOrganizationMetadata(deps, call, { ...page, organizationId, keyFilters });
      return { metadata: metadata.map(toMetadataMessage), pagination: toPagination(total, page.page) };
    },
  });
