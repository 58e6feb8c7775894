import type { SetSecuritySettingsRequest } from "@doorward/api/service/settings/v2/security_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import {
  type GetSettingsDeps,
  getSettings,
  type SecuritySettings,
  updateSettings,
} from "../../../domain/settings/index.ts";
import { type Binding, bind, fromDuration, toDetails, toDuration } from "../../contract/index.ts";

/** Methods on the security settings of the instance. */
export const securitySettingsMethods = (deps: GetSettingsDeps): Binding =>
  bind(SettingsService, {
    async getSecuritySettings(call) {
      const { settings, details } = await getSettings(deps, call, { kind: "security" });
      return { details: toDetails(details), settings: toMessage(settings) };
    },
    async setSecuritySettings(call, request) {
      const details = await updateSettings(deps, call, {
        kind: "security",
        change: (current) => fromMessage(request, current),
      });
      return { details: toDetails(details) };
    },
  });

const toMessage = (settings: SecuritySettings) => ({
  ...settings,
  embeddedIframe: {
    enabled: settings.embeddedIframe.enabled,
    allowedOrigins: [...settings.embeddedIframe.allowedOrigins],
  },
  dynamicClientRegistration: toRegistrationMessage(settings),
  clientIdMetadataDocument: {
    ...settings.clientIdMetadataDocument,
    allowedUrls: [...settings.clientIdMetadataDocument.allowedUrls],
  },
  claimNamespaces: [...(settings.claimNamespaces ?? [])],
});

// An unset member is absent, and has its default.
function toRegistrationMessage({ dynamicClientRegistration: given }: SecuritySettings) {
  const { enabled, allowUnauthenticated, maximumUnused, maximumUnusedPerSource, unusedLifetimeSeconds } = given;
  return {
    enabled,
    allowUnauthenticated,
    ...(maximumUnused && { maxUnusedClients: maximumUnused }),
    ...(maximumUnusedPerSource && { maxUnusedClientsPerSource: maximumUnusedPerSource }),
    ...(unusedLifetimeSeconds && { unusedClientLifetime: toDuration(unusedLifetimeSeconds) }),
  };
}

// The request replaces everything: absent members are off or empty. A member that clients of the interface do not know
// stays, so that they do not switch it by naming the others.
function fromMessage(request: SetSecuritySettingsRequest, current: SecuritySettings): SecuritySettings {
  const { embeddedIframe, dynamicClientRegistration, clientIdMetadataDocument, claimNamespaces } = request;
  return {
    embeddedIframe: {
      enabled: embeddedIframe?.enabled ?? false,
      allowedOrigins: embeddedIframe?.allowedOrigins ?? [],
    },
    enableImpersonation: request.enableImpersonation,
    skipConsentAcrossOrganizations: request.skipConsentAcrossOrganizations ?? current.skipConsentAcrossOrganizations,
    dynamicClientRegistration: {
      enabled: dynamicClientRegistration?.enabled ?? false,
      allowUnauthenticated: dynamicClientRegistration?.allowUnauthenticated ?? false,
      maximumUnused: dynamicClientRegistration?.maxUnusedClients ?? 0,
      maximumUnusedPerSource: dynamicClientRegistration?.maxUnusedClientsPerSource ?? 0,
      unusedLifetimeSeconds: fromDuration(dynamicClientRegistration?.unusedClientLifetime ?? { seconds: 0n }),
    },
    clientIdMetadataDocument: {
      enabled: clientIdMetadataDocument?.enabled ?? false,
      allowedUrls: clientIdMetadataDocument?.allowedUrls ?? [],
      allowAnyUrl: clientIdMetadataDocument?.allowAnyUrl ?? false,
    },
    ...(claimNamespaces.length > 0 && { claimNamespaces }),
  };
}
