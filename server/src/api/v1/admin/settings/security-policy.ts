import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { SetSecurityPolicyRequest } from "@doorward/api/service/admin/v1/policy_security_pb";
import { Fault } from "../../../../base/fault.ts";
import { type GetSettingsDeps, getSettings, updateSettings } from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";

/**
 * The security settings in the first generation of the API. It has no members for the newer settings, so it leaves them
 * alone.
 */
export const securityPolicyMethods = (deps: GetSettingsDeps): Binding =>
  bind(AdminService, {
    async getSecurityPolicy(call) {
      const { settings, details } = await getSettings(deps, call, { kind: "security" });
      const { embeddedIframe, enableImpersonation } = settings;
      return {
        policy: {
          details: toObjectDetails(details),
          enableIframeEmbedding: embeddedIframe.enabled,
          allowedOrigins: [...embeddedIframe.allowedOrigins],
          enableImpersonation,
        },
      };
    },
    async setSecurityPolicy(call, request) {
      const details = await updateSettings(deps, call, {
        kind: "security",
        change: (current) => ({ ...current, ...known(request) }),
      }).catch(renameField);
      return { details: toObjectDetails(details) };
    },
  });

const known = ({ enableIframeEmbedding, allowedOrigins, enableImpersonation }: SetSecurityPolicyRequest) => ({
  embeddedIframe: { enabled: enableIframeEmbedding, allowedOrigins },
  enableImpersonation,
});

// In this message the origins are not nested.
function renameField(error: unknown): never {
  if (!(error instanceof Fault) || error.field === undefined) throw error;
  const { code, id, values, cause } = error;
  throw new Fault(code, id, { values, cause, field: error.field.replace(/^embeddedIframe\./, "") });
}
