import {
  OrganizationSettingsFieldName,
  type OrganizationSettingsSearchFilter,
} from "@doorward/api/service/settings/v2/organization_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  deleteOrganizationSettings,
  listOrganizationSettings,
  type OrganizationSettingsFilter,
  type OrganizationSettingsSearch,
  setOrganizationSettings,
} from "../../../domain/settings/index.ts";
import { type Binding, bind, refuseFilter, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

/** SettingsService: what administrators of the instance decide about single organizations. */
export const organizationSettingsMethods = (deps: { readonly database: Database }): Binding =>
  bind(SettingsService, {
    async setOrganizationSettings(call, { organizationId, organizationScopedUsernames: isUsernameScoped }) {
      const { changedAt } = await setOrganizationSettings(deps, call, { organizationId, isUsernameScoped });
      return { setDate: toTimestamp(changedAt) };
    },
    async deleteOrganizationSettings(call, { organizationId }) {
      const { deletedAt } = await deleteOrganizationSettings(deps, call, { organizationId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async listOrganizationSettings(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listOrganizationSettings(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: orders[sortingColumn ?? 0] ?? "created_at",
      });
      return {
        pagination: toPagination(total, requested.page),
        organizationSettings: rows.map(({ organizationId, isUsernameScoped, createdAt, changedAt }) => ({
          organizationId,
          organizationScopedUsernames: isUsernameScoped,
          creationDate: toTimestamp(createdAt),
          changeDate: toTimestamp(changedAt),
        })),
      };
    },
  });

const orders: Readonly<Record<number, OrganizationSettingsSearch["orderBy"]>> = {
  [OrganizationSettingsFieldName.ORGANIZATION_ID]: "organization_id",
  [OrganizationSettingsFieldName.CREATION_DATE]: "created_at",
  [OrganizationSettingsFieldName.CHANGE_DATE]: "changed_at",
};

function toFilter({ filter }: OrganizationSettingsSearchFilter, index: number): OrganizationSettingsFilter {
  switch (filter.case) {
    case "inOrganizationIdsFilter":
      return { by: "organizations", organizationIds: filter.value.ids };
    case "organizationScopedUsernamesFilter":
      return { by: "username_scope", isUsernameScoped: filter.value.organizationScopedUsernames };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}
