import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireOrganization } from "../../../../call/index.ts";
import { addIdentityProviderToLogin } from "../../../../domain/identity-provider/index.ts";
import type { SettingsDeps } from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfLoginProviders } from "../../common/settings/login-provider.ts";

/** ManagementService: the identity providers that the login of the organization of the call offers. */
export function managementLoginProviderMethods(deps: SettingsDeps): Binding {
  const { list, remove } = methodsOfLoginProviders(deps);
  return bind(ManagementService, {
    listLoginPolicyIDPs: (call, { query }) => list(call, requireOrganization(call), query),
    async addIDPToLoginPolicy(call, { idpId: identityProviderId, ownerType }) {
      const organizationId = requireOrganization(call);
      const owner = ownerType === IDPOwnerType.IDP_OWNER_TYPE_ORG ? "organization" : "instance";
      const details = await addIdentityProviderToLogin(deps, call, { organizationId, identityProviderId, owner });
      return { details: toObjectDetails(details) };
    },
    removeIDPFromLoginPolicy: (call, { idpId }) => remove(call, requireOrganization(call), idpId),
  });
}
