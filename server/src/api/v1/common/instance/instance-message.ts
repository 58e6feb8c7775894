import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  DomainFieldName,
  type DomainSchema,
  type DomainSearchQuery,
  type TrustedDomainSearchQuery,
} from "@doorward/api/service/instance/v1/domain_pb";
import { State } from "@doorward/api/service/instance/v1/instance_pb";
import { version } from "../../../../base/version.ts";
import type { Database } from "../../../../database/index.ts";
import type {
  InstanceDomain,
  InstanceDomainFilter,
  InstanceDomainSearch,
  InstanceWithDomains,
  OriginOf,
} from "../../../../domain/instance/index.ts";
import { refuseFilter, toObjectDetails, toTextMethod } from "../../../contract/index.ts";

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

export type InstanceDeps = { readonly database: Database; readonly originOf: OriginOf };
