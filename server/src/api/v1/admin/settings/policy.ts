import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { languages } from "../../../../base/language.ts";
import type { SettingsDeps } from "../../../../domain/settings/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { nameProviders } from "../../common/settings/login-provider.ts";
import { methodsOfPolicies } from "../../common/settings/methods-of-policies.ts";

/** AdminService: settings of the instance, and those of organizations that only its administrators see. */
export function adminPolicyMethods(deps: SettingsDeps): Binding {
  const { login, complexity, age, lockout, notification, privacy, factors } = methodsOfPolicies(deps);
  return bind(AdminService, {
    getSupportedLanguages: async () => ({ languages: [...languages] }),
    getLoginPolicy: async (call) => nameProviders(deps, call, "", await login.getDefault(call)),
    updateLoginPolicy: (call, request) => login.updateDefault(call, request),
    listLoginPolicySecondFactors: (call) => factors.listSecond(call, ""),
    addSecondFactorToLoginPolicy: (call, { type }) => factors.addSecond(call, "", type),
    removeSecondFactorFromLoginPolicy: (call, { type }) => factors.removeSecond(call, "", type),
    listLoginPolicyMultiFactors: (call) => factors.listMulti(call, ""),
    addMultiFactorToLoginPolicy: (call, { type }) => factors.addMulti(call, "", type),
    removeMultiFactorFromLoginPolicy: (call, { type }) => factors.removeMulti(call, "", type),
    getPasswordComplexityPolicy: (call) => complexity.getDefault(call),
    updatePasswordComplexityPolicy: (call, request) => complexity.updateDefault(call, request),
    getPasswordAgePolicy: (call) => age.getDefault(call),
    updatePasswordAgePolicy: (call, request) => age.updateDefault(call, request),
    getLockoutPolicy: (call) => lockout.getDefault(call),
    updateLockoutPolicy: (call, request) => lockout.updateDefault(call, request),
    getNotificationPolicy: (call) => notification.getDefault(call),
    addNotificationPolicy: (call, request) => notification.addDefault(call, request),
    updateNotificationPolicy: (call, request) => notification.updateDefault(call, request),
    getPrivacyPolicy: (call) => privacy.getDefault(call),
    updatePrivacyPolicy: (call, request) => privacy.updateDefault(call, request),
  });
}
