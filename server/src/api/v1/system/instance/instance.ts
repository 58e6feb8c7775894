import { FieldName, type Query } from "@doorward/api/service/instance/v1/instance_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import type { Database } from "../../../../database/index.ts";
import {
  addCustomDomain,
  existsDomain,
  getInstance,
  type InstanceFilter,
  type InstanceSearch,
  listInstanceDomains,
  listInstances,
  removeCustomDomain,
  setPrimaryCustomDomain,
  updateInstance,
} from "../../../../domain/instance/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
} from "../../../contract/index.ts";
import {
  domainOrders,
  toDomainFilter,
  toDomainMessage,
  toInstanceMessage,
} from "../../common/instance/instance-message.ts";

/** Methods of the System API on existing instances. */
export const systemInstanceMethods = (deps: { readonly database: Database }): Binding =>
  bind(SystemService, {
    async listInstances(call, { query, queries, sortingColumn }) {
      const { instances, total } = await listInstances(deps, call, {
        ...toPageV1(query),
        filters: queries.map(toInstanceFilter),
        orderBy: instanceOrders[sortingColumn] ?? "created_at",
      });
      return { details: toListDetailsV1(total, call.now), sortingColumn, result: instances.map(toInstanceMessage) };
    },
    async getInstance(call, { instanceId }) {
      return { instance: toInstanceMessage(await getInstance(deps, call, instanceId)) };
    },
    async updateInstance(call, { instanceId, instanceName }) {
      return { details: toObjectDetails(await updateInstance(deps, call, { instanceId, name: instanceName })) };
    },
    async existsDomain(call, { domain }) {
      return { exists: await existsDomain(deps, call, domain) };
    },
    async listDomains(call, { instanceId, query, queries, sortingColumn }) {
      const { domains, total } = await listInstanceDomains(deps, call, {
        ...toPageV1(query),
        instanceId,
        isTrusted: false,
        filters: queries.map(toDomainFilter),
        orderBy: domainOrders[sortingColumn] ?? "created_at",
      });
      return { details: toListDetailsV1(total, call.now), sortingColumn, result: domains.map(toDomainMessage) };
    },
    async addDomain(call, request) {
      return { details: toObjectDetails(await addCustomDomain(deps, call, request)) };
    },
    async removeDomain(call, request) {
      const removed = await removeCustomDomain(deps, call, request);
      return removed === undefined ? {} : { details: toObjectDetails(removed) };
    },
    async setPrimaryDomain(call, request) {
      return { details: toObjectDetails(await setPrimaryCustomDomain(deps, call, request)) };
    },
  });

const instanceOrders: Readonly<Record<number, InstanceSearch["orderBy"]>> = {
  [FieldName.ID]: "id",
  [FieldName.NAME]: "name",
  [FieldName.CREATION_DATE]: "created_at",
};

function toInstanceFilter({ query }: Query, index: number): InstanceFilter {
  switch (query.case) {
    case "idQuery":
      return { by: "ids", instanceIds: query.value.ids };
    case "domainQuery":
      return { by: "domains", domains: query.value.domains };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
