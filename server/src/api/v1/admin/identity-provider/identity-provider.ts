import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { ProviderDeps, SamlProviderDeps } from "../../../../domain/identity-provider/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { genericProviderMethods } from "../../common/identity-provider/generic-provider.ts";
import { providerHandlers } from "../../common/identity-provider/provider-methods.ts";

/** AdminService: identity providers of the instance. */
export function adminProviderMethods(deps: ProviderDeps & SamlProviderDeps): Binding {
  const ofInstance = genericProviderMethods(deps, () => "");
  return bind(AdminService, {
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
  });
}
