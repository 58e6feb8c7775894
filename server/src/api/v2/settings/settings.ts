import type { RequestContext } from "@doorward/api/service/object/v2/object_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { languages } from "../../../base/language.ts";
import type { Call } from "../../../call/index.ts";
import {
  type GetSettingsDeps,
  getGeneralSettings,
  getSettings,
  type SettingsKind,
} from "../../../domain/settings/index.ts";
import { type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { documents } from "./documents.ts";
import { answerDocument, type SettingsDocument } from "./settings-document.ts";

/** Methods that read settings. */
export function settingsMethods(deps: GetSettingsDeps): Binding {
  const read = async <Kind extends SettingsKind, Message extends object>(
    call: Call,
    document: SettingsDocument<Kind, Message>,
    ctx?: RequestContext,
  ) => {
    const scope = readSettingsContext(call, ctx);
    const found = await getSettings(deps, call, { kind: document.kind, ...scope });
    return answerDocument(deps, { instanceId: call.instanceId, ...scope }, document, found);
  };
  return bind(SettingsService, {
    async getGeneralSettings(call) {
      const { defaultLanguage, defaultOrganizationId, allowedLanguages } = await getGeneralSettings(deps, call);
      return {
        defaultOrganizationId,
        defaultOrgId: defaultOrganizationId,
        defaultLanguage,
        supportedLanguages: [...languages],
        allowedLanguages: [...allowedLanguages],
      };
    },
    getLoginSettings: (call, { ctx }) => read(call, documents.login, ctx),
    getPasswordComplexitySettings: (call, { ctx }) => read(call, documents.passwordComplexity, ctx),
    getPasswordExpirySettings: (call, { ctx }) => read(call, documents.passwordExpiry, ctx),
    getLockoutSettings: (call, { ctx }) => read(call, documents.lockout, ctx),
    getDomainSettings: (call, { ctx }) => read(call, documents.domain, ctx),
    getLegalAndSupportSettings: (call, { ctx }) => read(call, documents.legalSupport, ctx),
    getNotificationSettings: (call, { ctx }) => read(call, documents.notification, ctx),
    async getOIDCSettings(call) {
      const found = await getSettings(deps, call, { kind: "oidc" });
      return answerDocument(deps, { instanceId: call.instanceId }, documents.oidc, found);
    },
  });
}
