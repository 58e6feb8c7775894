import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { IdentityProviderService } from "@doorward/api/service/idp/v2/idp_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../call/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import type { AddIdentityProviderDeps } from "./add-identity-provider.ts";
import { getAnyIdentityProvider } from "./get-identity-provider.ts";
import { olderProviderMethods } from "./older-provider.rpc.ts";
import { toIdpMessage } from "./provider-message.rpc.ts";
import { providerHandlers } from "./provider-methods.rpc.ts";

/**
 * Methods on identity providers: those of the instance, those of the organization of the call, and reading any one of
 * them.
 */
export function identityProviderMethods(deps: AddIdentityProviderDeps): readonly Binding[] {
  const ofInstance = olderProviderMethods(deps, () => "");
  const ofOrganization = olderProviderMethods(deps, requireOrganization);
  return [
    bind(AdminService, {
      ...providerHandlers(deps, () => ""),
      getIDPByID: ofInstance.get,
      listIDPs: ofInstance.list,
      addOIDCIDP: ofInstance.addOidc,
      addJWTIDP: ofInstance.addJwt,
      updateIDP: ofInstance.update,
      updateIDPOIDCConfig: ofInstance.updateOidc,
      updateIDPJWTConfig: ofInstance.updateJwt,
      deactivateIDP: ofInstance.deactivate,
      reactivateIDP: ofInstance.reactivate,
    }),
    bind(ManagementService, {
      ...providerHandlers(deps, requireOrganization),
      getOrgIDPByID: ofOrganization.get,
      listOrgIDPs: ofOrganization.list,
      addOrgOIDCIDP: ofOrganization.addOidc,
      addOrgJWTIDP: ofOrganization.addJwt,
      updateOrgIDP: ofOrganization.update,
      updateOrgIDPOIDCConfig: ofOrganization.updateOidc,
      updateOrgIDPJWTConfig: ofOrganization.updateJwt,
      deactivateOrgIDP: ofOrganization.deactivate,
      reactivateOrgIDP: ofOrganization.reactivate,
    }),
    bind(IdentityProviderService, {
      getIDPByID: async (call, { id }) => ({ idp: toIdpMessage(await getAnyIdentityProvider(deps, call, id)) }),
    }),
  ];
}
