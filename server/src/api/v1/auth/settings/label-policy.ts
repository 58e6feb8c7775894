import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { activeBranding } from "../../../../domain/settings/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import type { BrandingDeps } from "../../../v2/settings/branding.ts";
import { toLabelPolicy } from "../../common/settings/label-policy.ts";

/** AuthService: the branding of the caller's organization. */
export const authLabelPolicyMethods = (deps: BrandingDeps): Binding =>
  bind(AuthService, {
    // Every caller may read the branding of their own organization; the organization header does not select another
    // one.
    async getMyLabelPolicy(call) {
      const organizationId = call.caller?.organizationId || undefined;
      const found = await deps.settings.getCommitted("branding", { instanceId: call.instanceId, organizationId });
      return { policy: toLabelPolicy(found, activeBranding(found.settings), await deps.originOf(call.instanceId)) };
    },
  });
