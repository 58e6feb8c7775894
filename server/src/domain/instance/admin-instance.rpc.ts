import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../base/fault.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import { addTrustedDomain } from "./add-trusted-domain.ts";
import { getInstance } from "./get-instance.ts";
import { findInstance } from "./instance.store.ts";
import type { OriginOf } from "./instance-origin.ts";
import { listInstanceDomains } from "./list-instance-domains.ts";
import { removeTrustedDomain } from "./remove-trusted-domain.ts";
import { domainOrders, toDomainFilter, toDomainMessage, toInstanceMessage } from "./system.rpc.ts";

type Deps = { readonly database: Database; readonly originOf: OriginOf };

/** AdminService and ManagementService: the instance of the request. */
export function adminInstanceMethods(deps: Deps): readonly Binding[] {
  return [
    bind(AdminService, {
      async getMyInstance(call) {
        return { instance: toInstanceMessage(await getInstance(deps, call, call.instanceId)) };
      },
      async listInstanceDomains(call, { query, queries, sortingColumn }) {
        const { domains, total } = await listInstanceDomains(deps, call, {
          ...toPage(query, "query"),
          instanceId: call.instanceId,
          isTrusted: false,
          filters: queries.map(toDomainFilter),
          orderBy: domainOrders[sortingColumn] ?? "created_at",
        });
        return { details: toListDetailsV1(total, call.now), sortingColumn, result: domains.map(toDomainMessage) };
      },
      async listInstanceTrustedDomains(call, { query, queries, sortingColumn }) {
        const { domains, total } = await listInstanceDomains(deps, call, {
          ...toPage(query, "query"),
          instanceId: call.instanceId,
          isTrusted: true,
          filters: queries.map(toDomainFilter),
          orderBy: domainOrders[sortingColumn] ?? "created_at",
        });
        const result = domains.map(toDomainMessage).map(({ details, domain }) => ({
          ...(details && { details }),
          domain: domain ?? "",
        }));
        return { details: toListDetailsV1(total, call.now), sortingColumn, result };
      },
      async addInstanceTrustedDomain(call, { domain }) {
        return { details: toObjectDetails(await addTrustedDomain(deps, call, { domain })) };
      },
      async removeInstanceTrustedDomain(call, { domain }) {
        const removed = await removeTrustedDomain(deps, call, { domain });
        return removed === undefined ? {} : { details: toObjectDetails(removed) };
      },
    }),
    bind(ManagementService, {
      async getIAM({ instanceId }) {
        const instance = await findInstance(deps.database.read, instanceId);
        if (instance === undefined) throw new Fault("not_found", "instance.not_found");
        const { defaultOrganizationId, systemProjectId } = instance;
        // The default organization also serves as the global one.
        return {
          globalOrgId: defaultOrganizationId,
          iamProjectId: systemProjectId,
          defaultOrgId: defaultOrganizationId,
        };
      },
      async getOIDCInformation({ instanceId }) {
        const issuer = await deps.originOf(instanceId);
        return { issuer, discoveryEndpoint: `${issuer}/.well-known/openid-configuration` };
      },
    }),
  ];
}
