import { create } from "@bufbuild/protobuf";
import { AddCustomDomainPolicyRequestSchema } from "@doorward/api/service/admin/v1/policy_domain_pb";
import { SetTriggerActionsRequestSchema } from "@doorward/api/service/management/v1/flow_pb";
import { OrgState } from "@doorward/api/service/org/v1/org_pb";
import type { DataOrg as FirstDataOrg } from "@doorward/api/service/v1/v1/data_pb";
import type { ImportedOrganization } from "./imported.ts";

/** Returns an organization of the first format in the present one. */
export function fromFirstFormat(organization: FirstDataOrg): ImportedOrganization {
  const { iamPolicy, triggerActions, $typeName: _name, $unknown: _unknown, ...rest } = organization;
  return {
    ...rest,
    ...(iamPolicy !== undefined && {
      domainPolicy: create(AddCustomDomainPolicyRequestSchema, {
        userLoginMustBeDomain: iamPolicy.userLoginMustBeDomain,
      }),
    }),
    triggerActions: triggerActions.map(({ flowType, triggerType, actionIds }) =>
      create(SetTriggerActionsRequestSchema, { flowType: `${flowType}`, triggerType: `${triggerType}`, actionIds }),
    ),
    verifySmsOtpMessages: [],
    verifyEmailOtpMessages: [],
    orgState: OrgState.UNSPECIFIED,
    orgDeactivatedByInstance: false,
    offeredIdpIds: [],
  };
}
