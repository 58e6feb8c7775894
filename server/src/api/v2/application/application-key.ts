import {
  type ApplicationKeySearchFilter,
  ApplicationKeysSorting,
} from "@doorward/api/service/application/v2/application_key_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import {
  type ApplicationKey,
  type ApplicationKeyColumn,
  type ApplicationKeyFilter,
  type CreateApplicationKeyDeps,
  createApplicationKey,
  deleteApplicationKey,
  getApplicationKey,
  listApplicationKeys,
} from "../../../domain/application/index.ts";
import {
  type Binding,
  bind,
  fromTimestamp,
  refuseFilter,
  toPage,
  toPagination,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on the keys with which applications authenticate. */
export const applicationKeyMethods = (deps: CreateApplicationKeyDeps): Binding =>
  bind(ApplicationService, {
    async createApplicationKey(call, { applicationId, projectId, expirationDate }) {
      const { keyId, details, keyFile } = await createApplicationKey(deps, call, {
        applicationId,
        projectId,
        ...(expirationDate && { expiresAt: fromTimestamp(expirationDate) }),
      });
      const keyDetails = Buffer.from(keyFile?.reveal() ?? "", "utf8");
      return { keyId, creationDate: toTimestamp(details.createdAt), keyDetails };
    },
    async deleteApplicationKey(call, { keyId, applicationId, projectId }) {
      const { deletedAt } = await deleteApplicationKey(deps, call, { keyId, applicationId, projectId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async getApplicationKey(call, { keyId }) {
      const key = await getApplicationKey(deps, call, { keyId });
      return {
        keyId: key.keyId,
        creationDate: toTimestamp(key.createdAt),
        expirationDate: toTimestamp(key.expiresAt),
      };
    },
    async listApplicationKeys(call, { pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listApplicationKeys(deps, call, {
        ...requested,
        filters: filters.map(toFilter),
        orderBy: columns[sortingColumn] ?? "created_at",
      });
      return { pagination: toPagination(total, requested.page), keys: rows.map(toMessage) };
    },
  });

// All keys are of one type, so sorting by type means sorting by id.
const columns = {
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_ID]: "key_id",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_PROJECT_ID]: "project_id",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_APPLICATION_ID]: "application_id",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_CREATION_DATE]: "created_at",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_ORGANIZATION_ID]: "organization_id",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_EXPIRATION]: "expires_at",
  [ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_TYPE]: "key_id",
} as const satisfies Record<ApplicationKeysSorting, ApplicationKeyColumn>;

function toFilter({ filter }: ApplicationKeySearchFilter, index: number): ApplicationKeyFilter {
  switch (filter.case) {
    case "applicationIdFilter":
      return { kind: "application", applicationId: filter.value.applicationId };
    case "projectIdFilter":
      return { kind: "project", projectId: filter.value.projectId };
    case "organizationIdFilter":
      return { kind: "organization", organizationId: filter.value.organizationId };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toMessage({ createdAt, expiresAt, keyId, applicationId, projectId, organizationId }: ApplicationKey) {
  return {
    keyId,
    applicationId,
    projectId,
    organizationId,
    creationDate: toTimestamp(createdAt),
    expirationDate: toTimestamp(expiresAt),
  };
}
