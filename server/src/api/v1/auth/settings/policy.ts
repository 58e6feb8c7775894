import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { languages } from "../../../../base/language.ts";
import type { Call } from "../../../../call/index.ts";
import type { GetSettingsDeps, SettingsKind } from "../../../../domain/settings/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { legalSupportFields } from "../../../settings/legal-support-fields.ts";
import { loginFields } from "../../../settings/login-fields.ts";
import { passwordComplexityFields } from "../../../settings/password-fields.ts";
import { nameProviders } from "../../common/settings/login-provider.ts";
import { toPolicy } from "../../common/settings/policy-message.ts";

/**
 * AuthService: the settings that count for the caller. Callers may read those of the organization of their account; the
 * header of the organization does not choose another.
 */
export function authPolicyMethods(deps: GetSettingsDeps): Binding {
  const read = <Kind extends SettingsKind>(call: Call, kind: Kind) => {
    const organizationId = call.caller?.organizationId;
    return deps.settings.getCommitted(kind, {
      instanceId: call.instanceId,
      organizationId: organizationId || undefined,
    });
  };
  return bind(AuthService, {
    getSupportedLanguages: async () => ({ languages: [...languages] }),
    async getMyLoginPolicy(call) {
      const policy = toPolicy(loginFields, await read(call, "login"));
      return nameProviders(deps, call, call.caller?.organizationId ?? "", { policy });
    },
    getMyPrivacyPolicy: async (call) => ({ policy: toPolicy(legalSupportFields, await read(call, "legal_support")) }),
    getMyPasswordComplexityPolicy: async (call) => ({
      policy: toPolicy(passwordComplexityFields, await read(call, "password_complexity")),
    }),
  });
}
