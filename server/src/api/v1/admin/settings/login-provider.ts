import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { addIdentityProviderToLogin } from "../../../../domain/identity-provider/index.ts";
import type { SettingsDeps } from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfLoginProviders } from "../../common/settings/login-provider.ts";

/** AdminService: the identity providers that the login of the instance offers. */
export function adminLoginProviderMethods(deps: SettingsDeps): Binding {
  const { list, remove } = methodsOfLoginProviders(deps);
  return bind(AdminService, {
    listLoginPolicyIDPs: (call, { query }) => list(call, "", query),
    async addIDPToLoginPolicy(call, { idpId: identityProviderId }) {
      const details = await addIdentityProviderToLogin(deps, call, { organizationId: "", identityProviderId });
      return { details: toObjectDetails(details) };
    },
    removeIDPFromLoginPolicy: (call, { idpId }) => remove(call, "", idpId),
  });
}
