import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { getSettings, type SettingsDeps, updateSettings } from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { readFields, writeFields } from "../../../settings/fields.ts";
import { frameFields, type PlainSecuritySettings, securityFields } from "../../../settings/security-fields.ts";

/**
 * The security settings in the first generation of the API. It has no members for the newer settings, so it leaves them
 * alone.
 */
export const securityPolicyMethods = (deps: SettingsDeps): Binding =>
  bind(AdminService, {
    async getSecurityPolicy(call) {
      const { settings, details } = await getSettings(deps, call, { kind: "security" });
      return {
        policy: {
          details: toObjectDetails(details),
          ...writeFields(frameFields, "v1", settings.embeddedIframe),
          ...writeFields<PlainSecuritySettings, typeof securityFields, "v1">(securityFields, "v1", settings),
        },
      };
    },
    async setSecurityPolicy(call, request) {
      const details = await updateSettings(deps, call, {
        kind: "security",
        change: (current) => ({
          ...current,
          ...readFields<PlainSecuritySettings, typeof securityFields, "v1">(securityFields, "v1", {
            given: request,
            current,
          }),
          embeddedIframe: readFields(frameFields, "v1", { given: request, current: current.embeddedIframe }),
        }),
      }).catch(renameField);
      return { details: toObjectDetails(details) };
    },
  });

// In this message the origins are not nested.
function renameField(error: unknown): never {
  if (!(error instanceof Fault) || error.field === undefined) throw error;
  const { code, id, values, cause } = error;
  throw new Fault(code, id, { values, cause, field: error.field.replace(/^embeddedIframe\./, "") });
}
