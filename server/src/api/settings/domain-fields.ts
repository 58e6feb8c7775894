import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DomainPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { DomainSettingsSchema } from "@doorward/api/service/settings/v2/domain_pb";
import type { DomainSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { flag } from "./kinds.ts";

const { both } = fieldsIn<MessageInitShape<typeof DomainSettingsSchema>, MessageInitShape<typeof DomainPolicySchema>>();

/** What domains mean, in the contract. Requests of the former name have the first field alone. */
export const domainFields = {
  loginNameIncludesDomain: both("loginNameIncludesDomain", "userLoginMustBeDomain", flag),
  requireOrganizationDomainProof: both("requireOrgDomainVerification", "validateOrgDomains", flag),
  smtpSenderAddressMatchesInstanceDomain: both(
    "smtpSenderAddressMatchesInstanceDomain",
    "smtpSenderAddressMatchesInstanceDomain",
    flag,
  ),
} satisfies FieldsOf<DomainSettings>;
