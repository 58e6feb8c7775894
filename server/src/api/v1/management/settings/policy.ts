import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { languages } from "../../../../base/language.ts";
import { type Call, requireCaller } from "../../../../call/index.ts";
import type { SettingsDeps } from "../../../../domain/settings/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { domainFields } from "../../../settings/domain-fields.ts";
import { toFormer } from "../../common/settings/domain-policy.ts";
import { demandUsableProviders, nameProviders } from "../../common/settings/login-provider.ts";
import { methodsOfPolicies } from "../../common/settings/methods-of-policies.ts";
import { toPolicy } from "../../common/settings/policy-message.ts";

/** ManagementService: settings of the organization of the call. */
export function managementPolicyMethods(deps: SettingsDeps): Binding {
  const { login, complexity, age, lockout, domain, notification, privacy, factors } = methodsOfPolicies(deps);
  const readDomain = async (call: Call) => {
    const organizationId = ofCall(call);
    // Callers may know how names in their own organization are formed.
    if (organizationId !== requireCaller(call).organizationId) return domain.get(call, organizationId);
    const found = await deps.settings.getCommitted("domain", { instanceId: call.instanceId, organizationId });
    return { policy: toPolicy(domainFields, found) };
  };
  return bind(ManagementService, {
    getSupportedLanguages: async () => ({ languages: [...languages] }),
    getDomainPolicy: async (call) => ({ policy: (await readDomain(call)).policy }),
    getOrgIAMPolicy: async (call) => ({ policy: toFormer((await readDomain(call)).policy) }),
    getLoginPolicy: async (call) => nameProviders(deps, call, ofCall(call), await login.get(call, ofCall(call))),
    getDefaultLoginPolicy: async (call) => nameProviders(deps, call, "", await login.getDefault(call)),
    async addCustomLoginPolicy(call, request) {
      const ids = request.idps.map(({ idpId }) => idpId);
      await demandUsableProviders(deps, call, ofCall(call), ids);
      return login.add(call, ofCall(call), request);
    },
    updateCustomLoginPolicy: (call, request) => login.update(call, ofCall(call), request),
    resetLoginPolicyToDefault: (call) => login.reset(call, ofCall(call)),
    listLoginPolicySecondFactors: (call) => factors.listSecond(call, ofCall(call)),
    addSecondFactorToLoginPolicy: (call, { type }) => factors.addSecond(call, ofCall(call), type),
    removeSecondFactorFromLoginPolicy: (call, { type }) => factors.removeSecond(call, ofCall(call), type),
    listLoginPolicyMultiFactors: (call) => factors.listMulti(call, ofCall(call)),
    addMultiFactorToLoginPolicy: (call, { type }) => factors.addMulti(call, ofCall(call), type),
    removeMultiFactorFromLoginPolicy: (call, { type }) => factors.removeMulti(call, ofCall(call), type),
    getPasswordComplexityPolicy: (call) => complexity.get(call, ofCall(call)),
    getDefaultPasswordComplexityPolicy: (call) => complexity.getDefault(call),
    addCustomPasswordComplexityPolicy: (call, request) => complexity.add(call, ofCall(call), request),
    updateCustomPasswordComplexityPolicy: (call, request) => complexity.update(call, ofCall(call), request),
    resetPasswordComplexityPolicyToDefault: (call) => complexity.reset(call, ofCall(call)),
    getPasswordAgePolicy: (call) => age.get(call, ofCall(call)),
    getDefaultPasswordAgePolicy: (call) => age.getDefault(call),
    addCustomPasswordAgePolicy: (call, request) => age.add(call, ofCall(call), request),
    updateCustomPasswordAgePolicy: (call, request) => age.update(call, ofCall(call), request),
    resetPasswordAgePolicyToDefault: (call) => age.reset(call, ofCall(call)),
    getLockoutPolicy: (call) => lockout.get(call, ofCall(call)),
    getDefaultLockoutPolicy: (call) => lockout.getDefault(call),
    addCustomLockoutPolicy: (call, request) => lockout.add(call, ofCall(call), request),
    updateCustomLockoutPolicy: (call, request) => lockout.update(call, ofCall(call), request),
    resetLockoutPolicyToDefault: (call) => lockout.reset(call, ofCall(call)),
    getNotificationPolicy: async (call) => ({ policy: (await notification.get(call, ofCall(call))).policy }),
    getDefaultNotificationPolicy: (call) => notification.getDefault(call),
    addCustomNotificationPolicy: (call, request) => notification.add(call, ofCall(call), request),
    updateCustomNotificationPolicy: (call, request) => notification.update(call, ofCall(call), request),
    resetNotificationPolicyToDefault: (call) => notification.reset(call, ofCall(call)),
    getPrivacyPolicy: async (call) => ({ policy: (await privacy.get(call, ofCall(call))).policy }),
    getDefaultPrivacyPolicy: (call) => privacy.getDefault(call),
    addCustomPrivacyPolicy: (call, request) => privacy.add(call, ofCall(call), request),
    updateCustomPrivacyPolicy: (call, request) => privacy.update(call, ofCall(call), request),
    resetPrivacyPolicyToDefault: (call) => privacy.reset(call, ofCall(call)),
  });
}

const ofCall = ({ organizationId = "" }: Call): string => organizationId;
