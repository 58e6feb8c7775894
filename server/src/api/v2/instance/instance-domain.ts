import {
  type CustomDomainFilter,
  DomainFieldName,
  TrustedDomainFieldName,
  type TrustedDomainFilter,
} from "@doorward/api/service/instance/v2/domain_pb";
import { InstanceService } from "@doorward/api/service/instance/v2/instance_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  addCustomDomain,
  addTrustedDomain,
  type InstanceDomainFilter,
  type InstanceDomainSearch,
  listInstanceDomains,
  removeCustomDomain,
  removeTrustedDomain,
} from "../../../domain/instance/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";
import { toDomainMessage } from "./instance.ts";

/** Methods on the hosts of instances. */
export const instanceDomainMethods = (deps: { readonly database: Database }): Binding =>
  bind(InstanceService, {
    async addCustomDomain(call, { instanceId, customDomain }) {
      const { changedAt } = await addCustomDomain(deps, call, { instanceId, domain: customDomain });
      return { creationDate: toTimestamp(changedAt) };
    },
    async removeCustomDomain(call, { instanceId, customDomain }) {
      const removed = await removeCustomDomain(deps, call, { instanceId, domain: customDomain });
      return removed === undefined ? {} : { deletionDate: toTimestamp(removed.changedAt) };
    },
    async listCustomDomains(call, { instanceId, pagination, filters, sortingColumn }) {
      const page = toPage(pagination);
      const { domains, total } = await listInstanceDomains(deps, call, {
        ...page,
        instanceId,
        isTrusted: false,
        filters: filters.map(toFilter),
        orderBy: orders[sortingColumn] ?? "created_at",
      });
      return { domains: domains.map(toDomainMessage), pagination: toPagination(total, page.page) };
    },
    async addTrustedDomain(call, { instanceId, trustedDomain }) {
      const { changedAt } = await addTrustedDomain(deps, call, { instanceId, domain: trustedDomain });
      return { creationDate: toTimestamp(changedAt) };
    },
    async removeTrustedDomain(call, { instanceId, trustedDomain }) {
      const removed = await removeTrustedDomain(deps, call, { instanceId, domain: trustedDomain });
      return removed === undefined ? {} : { deletionDate: toTimestamp(removed.changedAt) };
    },
    async listTrustedDomains(call, { instanceId, pagination, filters, sortingColumn }) {
      const page = toPage(pagination);
      const { domains, total } = await listInstanceDomains(deps, call, {
        ...page,
        instanceId,
        isTrusted: true,
        filters: filters.map(toFilter),
        orderBy: sortingColumn === TrustedDomainFieldName.DOMAIN ? "domain" : "created_at",
      });
      return {
        trustedDomain: domains.map(({ createdAt, ...domain }) => ({
          instanceId: domain.instanceId,
          domain: domain.domain,
          creationDate: toTimestamp(createdAt),
        })),
        pagination: toPagination(total, page.page),
      };
    },
  });

const orders: Readonly<Record<number, InstanceDomainSearch["orderBy"]>> = {
  [DomainFieldName.DOMAIN]: "domain",
  [DomainFieldName.PRIMARY]: "primary",
  [DomainFieldName.GENERATED]: "generated",
  [DomainFieldName.CREATION_DATE]: "created_at",
};

function toFilter({ filter }: CustomDomainFilter | TrustedDomainFilter, index: number): InstanceDomainFilter {
  switch (filter.case) {
    case "domainFilter":
      return { by: "domain", method: toTextMethod(filter.value.method), domain: filter.value.domain };
    case "generatedFilter":
      return { by: "generated", value: filter.value };
    case "primaryFilter":
      return { by: "primary", value: filter.value };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}
