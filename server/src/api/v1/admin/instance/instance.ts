import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  addTrustedDomain,
  getInstance,
  listInstanceDomains,
  removeTrustedDomain,
} from "../../../../domain/instance/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import {
  domainOrders,
  type InstanceDeps,
  toDomainFilter,
  toDomainMessage,
  toInstanceMessage,
} from "../../common/instance/instance-message.ts";

/** AdminService: the instance of the request. */
export const adminInstanceMethods = (deps: InstanceDeps): Binding =>
  bind(AdminService, {
    async getMyInstance(call) {
      return { instance: toInstanceMessage(await getInstance(deps, call, call.instanceId)) };
    },
    async listInstanceDomains(call, { query, queries, sortingColumn }) {
      const { domains, total } = await listInstanceDomains(deps, call, {
        ...toPageV1(query),
        instanceId: call.instanceId,
        isTrusted: false,
        filters: queries.map(toDomainFilter),
        orderBy: domainOrders[sortingColumn] ?? "created_at",
      });
      return { details: toListDetailsV1(total, call.now), sortingColumn, result: domains.map(toDomainMessage) };
    },
    async listInstanceTrustedDomains(call, { query, queries, sortingColumn }) {
      const { domains, total } = await listInstanceDomains(deps, call, {
        ...toPageV1(query),
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
  });
