import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type DomainSchema,
  type DomainSearchQuery,
  DomainValidationType,
} from "@doorward/api/service/org/v1/domain_pb";
import type { Call } from "../../../../call/index.ts";
import type {
  OrganizationDomain,
  OrganizationDomainFilter,
  ValidationType,
} from "../../../../domain/organization/index.ts";
import { refuseFilter, toObjectDetails, toTextMethod } from "../../../contract/index.ts";

export const ofCall = ({ organizationId = "" }: Call): string => organizationId;

const validationTypes = {
  none: DomainValidationType.UNSPECIFIED,
  http: DomainValidationType.HTTP,
  dns: DomainValidationType.DNS,
} as const satisfies Record<ValidationType, DomainValidationType>;

// Domains share the sequence of their organization, so they state none of their own.
export function toDomainMessage(domain: OrganizationDomain): MessageInitShape<typeof DomainSchema> {
  const { organizationId, isVerified, isPrimary, validationType, createdAt, changedAt } = domain;
  return {
    orgId: organizationId,
    details: toObjectDetails({ sequence: 0, createdAt, changedAt, ownerId: organizationId }),
    domainName: domain.domain,
    isVerified,
    isPrimary,
    validationType: validationTypes[validationType],
  };
}

export function toDomainFilter({ query }: DomainSearchQuery, index: number): OrganizationDomainFilter {
  if (query.case === undefined) return refuseFilter(`queries[${index}]`);
  return { method: toTextMethod(query.value.method), domain: query.value.name };
}
