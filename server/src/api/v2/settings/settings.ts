import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { languages } from "../../../base/language.ts";
import { type GetSettingsDeps, getGeneralSettings, getSettings } from "../../../domain/settings/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { toLoginMessage } from "./login-settings.ts";

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
      return answerSettings(found, toLoginMessage(found.settings));
    },
    async getPasswordComplexitySettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "password_complexity", ...readSettingsContext(call, ctx) });
      return answerSettings(found, { ...found.settings, minLength: BigInt(found.settings.minLength) });
    },
    async getPasswordExpirySettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "password_expiry", ...readSettingsContext(call, ctx) });
      const { maxAgeDays, expireWarnDays } = found.settings;
      return answerSettings(found, { maxAgeDays: BigInt(maxAgeDays), expireWarnDays: BigInt(expireWarnDays) });
    },
    async getLockoutSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "lockout", ...readSettingsContext(call, ctx) });
      const { maxPasswordAttempts, maxOtpAttempts } = found.settings;
      return answerSettings(found, {
        maxPasswordAttempts: BigInt(maxPasswordAttempts),
        maxOtpAttempts: BigInt(maxOtpAttempts),
      });
    },
    async getDomainSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "domain", ...readSettingsContext(call, ctx) });
      const { requireOrganizationDomainProof, ...rest } = found.settings;
      return answerSettings(found, { ...rest, requireOrgDomainVerification: requireOrganizationDomainProof });
    },
  });
