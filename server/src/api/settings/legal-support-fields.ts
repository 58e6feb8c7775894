import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PrivacyPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { LegalAndSupportSettingsSchema } from "@doorward/api/service/settings/v2/legal_support_pb";
import type { LegalSupportSettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { text } from "./kinds.ts";

const { both } = fieldsIn<
  MessageInitShape<typeof LegalAndSupportSettingsSchema>,
  MessageInitShape<typeof PrivacyPolicySchema>
>();

/** Links to legal documents and support, in the contract. */
export const legalSupportFields = {
  tosLink: both("tosLink", "tosLink", text),
  privacyPolicyLink: both("privacyPolicyLink", "privacyLink", text),
  accessibilityLink: both("accessibilityLink", "accessibilityLink", text),
  helpLink: both("helpLink", "helpLink", text),
  supportEmail: both("supportEmail", "supportEmail", text),
  docsLink: both("docsLink", "docsLink", text),
  customLink: both("customLink", "customLink", text),
  customLinkText: both("customLinkText", "customLinkText", text),
} satisfies FieldsOf<LegalSupportSettings>;
