import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  DomainFieldName,
  type DomainSchema,
  type DomainSearchQuery,
  type TrustedDomainSearchQuery,
} from "@doorward/api/service/instance/v1/domain_pb";
import { FieldName, type Query, State } from "@doorward/api/service/instance/v1/instance_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { version } from "../../base/version.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPage,
  toTextMethod,
} from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { addCustomDomain } from "./add-custom-domain.ts";
import { existsDomain } from "./exists-domain.ts";
import { getInstance, type InstanceWithDomains } from "./get-instance.ts";
import type { InstanceDomain } from "./instance.ts";
import type { InstanceDomainFilter, InstanceDomainSearch, InstanceFilter, InstanceSearch } from "./instance-search.ts";
import { listInstanceDomains } from "./list-instance-domains.ts";
import { listInstances } from "./list-instances.ts";
import { removeCustomDomain } from "./remove-custom-domain.ts";
import { setPrimaryCustomDomain } from "./set-primary-custom-domain.ts";
import { updateInstance } from "./update-instance.ts";

/** Methods of the System API on existing instances. */
export const systemInstanceMethods = (deps: { readonly database: Database }): Binding =>
  bind(SystemService, {
    async listInstances(call, { query, queries, sortingColumn }) {
      const { instances, total } = await listInstances(deps, call, {
        ...toPage(query, "query"),
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
        ...toPage(query, "query"),
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

/** Columns of domains, as the first generation of the API numbers them. */
export const domainOrders: Readonly<Record<number, InstanceDomainSearch["orderBy"]>> = {
  [DomainFieldName.DOMAIN]: "domain",
  [DomainFieldName.PRIMARY]: "primary",
  [DomainFieldName.GENERATED]: "generated",
  [DomainFieldName.CREATION_DATE]: "created_at",
};

/** Converts an instance: `Instance` and `InstanceDetail` have the same fields. */
export const toInstanceMessage = ({ instanceId, name, details, domains }: InstanceWithDomains) => ({
  id: instanceId,
  details: toObjectDetails(details),
  state: State.RUNNING,
  name,
  version,
  domains: domains.map(toDomainMessage),
});

/** Converts a domain of an instance. */
export function toDomainMessage(domain: InstanceDomain): MessageInitShape<typeof DomainSchema> {
  const { instanceId, isPrimary, isGenerated, createdAt } = domain;
  const details = toObjectDetails({ sequence: 0, createdAt, changedAt: createdAt, ownerId: instanceId });
  return { details, domain: domain.domain, primary: isPrimary, generated: isGenerated };
}

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

/** Converts a condition on domains; trusted domains can be filtered by name only. */
export function toDomainFilter(
  { query }: DomainSearchQuery | TrustedDomainSearchQuery,
  index: number,
): InstanceDomainFilter {
  switch (query.case) {
    case "domainQuery":
      return { by: "domain", method: toTextMethod(query.value.method), domain: query.value.domain };
    case "generatedQuery":
      return { by: "generated", value: query.value.generated };
    case "primaryQuery":
      return { by: "primary", value: query.value.primary };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
