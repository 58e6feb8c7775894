import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  DomainFieldName,
  type DomainSchema,
  type DomainSearchFilter,
  DomainValidationType,
} from "@doorward/api/service/org/v2/domain_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Random } from "../../../base/random.ts";
import {
  type AddDomainDeps,
  addOrganizationDomain,
  type DomainProofs,
  generateDomainValidation,
  listOrganizationDomains,
  type OrganizationDomain,
  type OrganizationDomainFilter,
  type RemoveDomainDeps,
  removeOrganizationDomain,
  type ValidationType,
  verifyOrganizationDomain,
} from "../../../domain/organization/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

export interface OrganizationDomainDeps extends AddDomainDeps, RemoveDomainDeps {
  readonly random: Random;
  readonly domainProofs: DomainProofs;
}

/** Methods on the domains of organizations. */
export const organizationDomainMethods = (deps: OrganizationDomainDeps): Binding =>
  bind(OrganizationService, {
    async addOrganizationDomain(call, request) {
      return { creationDate: toTimestamp((await addOrganizationDomain(deps, call, request)).createdAt) };
    },
    async listOrganizationDomains(call, { organizationId, pagination, filters, sortingColumn }) {
      const page = toPage(pagination);
      const { domains, total } = await listOrganizationDomains(deps, call, {
        ...page,
        organizationId,
        filters: filters.map(toFilter),
        orderBy: sortingColumn === DomainFieldName.CREATION_DATE ? "created_at" : "domain",
      });
      return { domains: domains.map(toMessage), pagination: toPagination(total, page.page) };
    },
    async deleteOrganizationDomain(call, request) {
      const { removedAt } = await removeOrganizationDomain(deps, call, request);
      return removedAt === undefined ? {} : { deletionDate: toTimestamp(removedAt) };
    },
    async generateOrganizationDomainValidation(call, { organizationId, domain, type }) {
      const input = { organizationId, domain, type: type === DomainValidationType.DNS ? "dns" : "http" } as const;
      const { token, location } = await generateDomainValidation(deps, call, input);
      return { token, url: location };
    },
    async verifyOrganizationDomain(call, request) {
      return { changeDate: toTimestamp((await verifyOrganizationDomain(deps, call, request)).changedAt) };
    },
  });

const wireTypes = {
  none: DomainValidationType.UNSPECIFIED,
  http: DomainValidationType.HTTP,
  dns: DomainValidationType.DNS,
} as const satisfies Record<ValidationType, DomainValidationType>;

function toMessage(domain: OrganizationDomain): MessageInitShape<typeof DomainSchema> {
  const { organizationId, isVerified, isPrimary, validationType } = domain;
  return { organizationId, domain: domain.domain, isVerified, isPrimary, validationType: wireTypes[validationType] };
}

function toFilter({ filter }: DomainSearchFilter, index: number): OrganizationDomainFilter {
  if (filter.case === undefined) return refuseFilter(`filters[${index}]`);
  return { method: toTextMethod(filter.value.method), domain: filter.value.domain };
}
