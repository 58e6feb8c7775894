import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import type { Call } from "../../../call/index.ts";
import {
  type DomainSettingsDeps,
  resetDomainSettings,
  resetSettings,
  type SettingsDeps,
  type SettingsKind,
  updateDomainSettings,
  updateSettings,
} from "../../../domain/settings/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import { documents } from "./documents.ts";
import { resetDocument, type SettingsDocument, updateDocument } from "./settings-document.ts";

type UpdateRequest = Parameters<typeof updateDocument>[2];
type ResetRequest = Parameters<typeof resetDocument>[2];

/** Methods that change parts of settings, and let organizations inherit again. */
export function changeSettingsMethods(deps: SettingsDeps & DomainSettingsDeps): Binding {
  const update = <Kind extends SettingsKind, Message extends object>(
    call: Call,
    request: UpdateRequest,
    document: SettingsDocument<Kind, Message>,
  ) => updateDocument(deps, call, request, document, (by, change) => updateSettings(deps, by, change));
  const reset = <Kind extends SettingsKind, Message extends object>(
    call: Call,
    request: ResetRequest,
    document: SettingsDocument<Kind, Message>,
  ) => resetDocument(deps, call, request, document, (by, scope) => resetSettings(deps, by, scope));
  const { login, passwordComplexity, passwordExpiry, lockout, domain, legalSupport, notification } = documents;
  return bind(SettingsService, {
    updateLoginSettings: (call, request) => update(call, request, login),
    resetLoginSettings: (call, request) => reset(call, request, login),
    updatePasswordComplexitySettings: (call, request) => update(call, request, passwordComplexity),
    resetPasswordComplexitySettings: (call, request) => reset(call, request, passwordComplexity),
    updatePasswordExpirySettings: (call, request) => update(call, request, passwordExpiry),
    resetPasswordExpirySettings: (call, request) => reset(call, request, passwordExpiry),
    updateLockoutSettings: (call, request) => update(call, request, lockout),
    resetLockoutSettings: (call, request) => reset(call, request, lockout),
    updateDomainSettings: (call, request) =>
      updateDocument(deps, call, request, domain, (by, change) => updateDomainSettings(deps, by, change)),
    resetDomainSettings: (call, request) =>
      resetDocument(deps, call, request, domain, (by, scope) => resetDomainSettings(deps, by, scope)),
    updateLegalAndSupportSettings: (call, request) => update(call, request, legalSupport),
    resetLegalAndSupportSettings: (call, request) => reset(call, request, legalSupport),
    updateNotificationSettings: (call, request) => update(call, request, notification),
    resetNotificationSettings: (call, request) => reset(call, request, notification),
    updateSecuritySettings: (call, request) => update(call, request, documents.security),
    updateOIDCSettings: (call, request) => update(call, request, documents.oidc),
  });
}
