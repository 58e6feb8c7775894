import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { languages } from "../../../base/language.ts";
import { type GetSettingsDeps, getGeneralSettings, getSettings } from "../../../domain/settings/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { domainFields } from "../../settings/domain-fields.ts";
import { writeFields } from "../../settings/fields.ts";
import { lockoutFields } from "../../settings/lockout-fields.ts";
import { loginFields } from "../../settings/login-fields.ts";
import { passwordComplexityFields, passwordExpiryFields } from "../../settings/password-fields.ts";

/** Methods that read settings. */
export const settingsMethods = (deps: GetSettingsDeps): Binding =>
  bind(SettingsService, {
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
    async getLoginSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "login", ...readSettingsContext(call, ctx) });
      const message = writeFields(loginFields, "v2", found.settings);
      // The deprecated name of the same field.
      return answerSettings(found, { ...message, allowUsernamePassword: message.allowLocalAuthentication });
    },
    async getPasswordComplexitySettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "password_complexity", ...readSettingsContext(call, ctx) });
      return answerSettings(found, writeFields(passwordComplexityFields, "v2", found.settings));
    },
    async getPasswordExpirySettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "password_expiry", ...readSettingsContext(call, ctx) });
      return answerSettings(found, writeFields(passwordExpiryFields, "v2", found.settings));
    },
    async getLockoutSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "lockout", ...readSettingsContext(call, ctx) });
      return answerSettings(found, writeFields(lockoutFields, "v2", found.settings));
    },
    async getDomainSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "domain", ...readSettingsContext(call, ctx) });
      return answerSettings(found, writeFields(domainFields, "v2", found.settings));
    },
  });
