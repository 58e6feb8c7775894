import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { findInstance } from "../../../../domain/instance/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import type { InstanceDeps } from "../../common/instance/instance-message.ts";

/** ManagementService: what organizations may know of their instance. */
export const managementInstanceMethods = (deps: InstanceDeps): Binding =>
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
  });
