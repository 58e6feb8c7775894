import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PrivacyPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { EffectiveSettings, LegalSupportSettings } from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

// Settings of where the login leads, in messages of the first generation of the API.
const common = ({ details, source }: EffectiveSettings<object>) => ({
  details: toObjectDetails(details),
  isDefault: source === "instance",
});

export function toPrivacyPolicy(
  found: EffectiveSettings<LegalSupportSettings>,
): MessageInitShape<typeof PrivacyPolicySchema> {
  const { privacyPolicyLink: privacyLink, ...links } = found.settings;
  return { ...common(found), ...links, privacyLink };
}

export interface PrivacyRequest {
  readonly tosLink: string;
  readonly privacyLink: string;
  readonly helpLink: string;
  readonly supportEmail: string;
  readonly docsLink: string;
  readonly customLink: string;
  readonly customLinkText: string;
}

export function fromPrivacyRequest(request: PrivacyRequest): LegalSupportSettings {
  const {
    tosLink,
    privacyLink: privacyPolicyLink,
    helpLink,
    supportEmail,
    docsLink,
    customLink,
    customLinkText,
  } = request;
  return { tosLink, privacyPolicyLink, helpLink, supportEmail, docsLink, customLink, customLinkText };
}
