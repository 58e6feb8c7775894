import type { SetSecuritySettingsRequest } from "@doorward/api/service/settings/v2/security_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import {
  getSettings,
  type SecuritySettings,
  type SettingsDeps,
  updateSettings,
} from "../../../domain/settings/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";
import { readFields } from "../../settings/fields.ts";
import {
  documentFields,
  frameFields,
  type PlainSecuritySettings,
  registrationFields,
  securityFields,
} from "../../settings/security-fields.ts";
import { documents } from "./documents.ts";
import { answerDocument } from "./settings-document.ts";

/** Methods on the security settings of the instance. */
export const securitySettingsMethods = (deps: SettingsDeps): Binding =>
  bind(SettingsService, {
    async getSecuritySettings(call) {
      const found = await getSettings(deps, call, { kind: "security" });
      return answerDocument(deps, { instanceId: call.instanceId }, documents.security, found);
    },
    async setSecuritySettings(call, request) {
      const details = await updateSettings(deps, call, {
        kind: "security",
        change: (current) => fromMessage(request, current, call.isInEarlierForm === true),
      });
      return { details: toDetails(details) };
    },
  });

type Records = Omit<SecuritySettings, keyof PlainSecuritySettings>;

const off: Records = {
  embeddedIframe: { enabled: false, allowedOrigins: [] },
  dynamicClientRegistration: {
    enabled: false,
    allowUnauthenticated: false,
    maximumUnused: 0,
    maximumUnusedPerSource: 0,
    unusedLifetimeSeconds: 0,
  },
  clientIdMetadataDocument: { enabled: false, allowedUrls: [], allowAnyUrl: false },
};

// The request replaces everything: absent members are off or empty. A member that clients of the interface, or of its
// earlier form, do not know stays, so that they do not switch it by naming the others.
function fromMessage(
  request: SetSecuritySettingsRequest,
  current: SecuritySettings,
  isInEarlierForm: boolean,
): SecuritySettings {
  const { embeddedIframe = {}, dynamicClientRegistration = {}, clientIdMetadataDocument = {} } = request;
  const { enableImpersonation, skipConsentAcrossOrganizations } = current;
  if (isInEarlierForm) {
    const embedded = readFields(frameFields, "v2", { given: embeddedIframe, current: off.embeddedIframe });
    return { ...current, enableImpersonation: request.enableImpersonation, embeddedIframe: embedded };
  }
  return {
    ...readFields<PlainSecuritySettings, typeof securityFields, "v2">(securityFields, "v2", {
      given: request,
      current: { enableImpersonation, skipConsentAcrossOrganizations },
    }),
    embeddedIframe: readFields(frameFields, "v2", { given: embeddedIframe, current: off.embeddedIframe }),
    dynamicClientRegistration: readFields(registrationFields, "v2", {
      given: dynamicClientRegistration,
      current: off.dynamicClientRegistration,
    }),
    clientIdMetadataDocument: readFields(documentFields, "v2", {
      given: clientIdMetadataDocument,
      current: off.clientIdMetadataDocument,
    }),
  };
}
