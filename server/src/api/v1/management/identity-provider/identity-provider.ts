import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../../../call/index.ts";
import type { ProviderDeps, SamlProviderDeps } from "../../../../domain/identity-provider/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { genericProviderMethods } from "../../common/identity-provider/generic-provider.ts";
import { providerHandlers } from "../../common/identity-provider/provider-methods.ts";

/** ManagementService: identity providers of the organization of the call. */
export function managementProviderMethods(deps: ProviderDeps & SamlProviderDeps): Binding {
  const ofOrganization = genericProviderMethods(deps, requireOrganization);
  return bind(ManagementService, {
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
  });
}
