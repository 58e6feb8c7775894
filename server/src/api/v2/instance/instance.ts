import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CustomDomainSchema } from "@doorward/api/service/instance/v2/domain_pb";
import { FieldName, type Filter, type InstanceSchema, State } from "@doorward/api/service/instance/v2/instance_pb";
import { InstanceService } from "@doorward/api/service/instance/v2/instance_service_pb";
import { version } from "../../../base/version.ts";
import type { Database } from "../../../database/index.ts";
import {
  getInstance,
  type InstanceDomain,
  type InstanceFilter,
  type InstanceSearch,
  type InstanceWithDomains,
  listInstances,
  updateInstance,
} from "../../../domain/instance/index.ts";
import { type Binding, bind, refuseFilter, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

/** Methods on instances themselves. Creation and deletion: `setup`, `deletion`. */
export const instanceMethods = (deps: { readonly database: Database }): Binding =>
  bind(InstanceService, {
    async getInstance(call, { instanceId }) {
      return { instance: toMessage(await getInstance(deps, call, instanceId)) };
    },
    async listInstances(call, { pagination, filters, sortingColumn }) {
      const page = toPage(pagination);
      const { instances, total } = await listInstances(deps, call, {
        ...page,
        filters: filters.map(toFilter),
        orderBy: orders[sortingColumn] ?? "created_at",
      });
      return { instances: instances.map(toMessage), pagination: toPagination(total, page.page) };
    },
    async updateInstance(call, { instanceId, instanceName }) {
      const { changedAt } = await updateInstance(deps, call, { instanceId, name: instanceName });
      return { changeDate: toTimestamp(changedAt) };
    },
  });

const orders: Readonly<Record<number, InstanceSearch["orderBy"]>> = {
  [FieldName.ID]: "id",
  [FieldName.NAME]: "name",
  [FieldName.CREATION_DATE]: "created_at",
};

function toMessage(instance: InstanceWithDomains): MessageInitShape<typeof InstanceSchema> {
  const { instanceId, name, details, domains } = instance;
  return {
    id: instanceId,
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
    state: State.RUNNING,
    name,
    version,
    customDomains: domains.map(toDomainMessage),
  };
}

/** Converts a host of an instance to a message. */
export function toDomainMessage(domain: InstanceDomain): MessageInitShape<typeof CustomDomainSchema> {
  const { instanceId, isPrimary, isGenerated, createdAt } = domain;
  return {
    instanceId,
    creationDate: toTimestamp(createdAt),
    domain: domain.domain,
    primary: isPrimary,
    generated: isGenerated,
  };
}

function toFilter({ filter }: Filter, index: number): InstanceFilter {
  switch (filter.case) {
    case "inIdsFilter":
      return { by: "ids", instanceIds: filter.value.ids };
    case "customDomainsFilter":
      return { by: "domains", domains: filter.value.domains };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}
