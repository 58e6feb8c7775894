import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import {
  type DomainSettingsDeps,
  resetDomainSettings,
  type SettingsDeps,
  updateDomainSettings,
} from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { domainFields } from "../../../settings/domain-fields.ts";
import { type Given, readFields } from "../../../settings/fields.ts";
import { toFormer } from "../../common/settings/domain-policy.ts";
import { methodsOfPolicy } from "../../common/settings/policy-methods.ts";

type DomainRequest = Given<typeof domainFields, "v1">;

/**
 * AdminService: domain settings of the instance and of single organizations, also under the former name of these
 * settings.
 */
export function domainPolicyMethods(deps: SettingsDeps & DomainSettingsDeps): Binding {
  const domain = methodsOfPolicy(deps, "domain", domainFields);
  const write = async (call: Call, request: DomainRequest, scope: { organizationId?: string; isNew?: boolean } = {}) =>
    answer(
      await updateDomainSettings(deps, call, {
        ...scope,
        change: (current) => readFields(domainFields, "v1", { given: request, current }),
      }),
    );
  const reset = async (call: Call, organizationId: string) =>
    answer(await resetDomainSettings(deps, call, { organizationId }));
  return bind(AdminService, {
    getDomainPolicy: (call) => domain.getDefault(call),
    getCustomDomainPolicy: (call, { orgId }) => domain.get(call, orgId),
    updateDomainPolicy: (call, request) => write(call, request),
    addCustomDomainPolicy: (call, request) => write(call, request, { organizationId: request.orgId, isNew: true }),
    updateCustomDomainPolicy: (call, request) => write(call, request, { organizationId: request.orgId }),
    resetCustomDomainPolicyToDefault: (call, { orgId }) => reset(call, orgId),
    getOrgIAMPolicy: async (call) => ({ policy: toFormer((await domain.getDefault(call)).policy) }),
    getCustomOrgIAMPolicy: async (call, { orgId }) => {
      const { policy, isDefault } = await domain.get(call, orgId);
      return { policy: toFormer(policy), isDefault };
    },
    updateOrgIAMPolicy: (call, request) => write(call, request),
    addCustomOrgIAMPolicy: (call, request) => write(call, request, { organizationId: request.orgId, isNew: true }),
    updateCustomOrgIAMPolicy: (call, request) => write(call, request, { organizationId: request.orgId }),
    resetCustomOrgIAMPolicyToDefault: (call, { orgId }) => reset(call, orgId),
  });
}

// A call that changed nothing has no details.
const answer = (details: Details | undefined) => (details === undefined ? {} : { details: toObjectDetails(details) });
