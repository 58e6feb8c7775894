import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Call } from "../../../../call/index.ts";
import { findInstance } from "../../../../domain/instance/index.ts";
import {
  chosenLanguages,
  getSettings,
  type OidcSettings,
  type SettingsDeps,
  setDefaultLanguage,
  setRestrictions,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { type Given, readFields, writeFields } from "../../../settings/fields.ts";
import { oidcFields } from "../../../settings/oidc-fields.ts";

/** AdminService: languages of the instance, and lifetimes of tokens. */
export function instanceDefaultMethods(deps: SettingsDeps): Binding {
  const allowed = async ({ instanceId }: Call): Promise<readonly string[]> =>
    (await deps.settings.getCommitted("general", { instanceId })).settings.allowedLanguages;
  const writeOidc = async (call: Call, given: Given<typeof oidcFields, "v1">, isNew: boolean) => {
    const input = {
      kind: "oidc",
      isNew,
      change: (current: OidcSettings) => readFields(oidcFields, "v1", { given, current }),
    } as const;
    return { details: toObjectDetails(await updateSettings(deps, call, input)) };
  };
  return bind(AdminService, {
    getAllowedLanguages: async (call) => ({ languages: chosenLanguages(await allowed(call)) }),
    async setDefaultLanguage(call, { language }) {
      return { details: toObjectDetails(await setDefaultLanguage(deps, call, { language })) };
    },
    async getDefaultLanguage({ instanceId }) {
      return { language: (await findInstance(deps.database.read, instanceId))?.defaultLanguage ?? "" };
    },
    async getRestrictions(call) {
      const { settings, details } = await getSettings(deps, call, { kind: "general" });
      return {
        details: toObjectDetails(details),
        disallowPublicOrgRegistration: settings.disallowPublicOrgRegistration,
        allowedLanguages: [...settings.allowedLanguages],
      };
    },
    async setRestrictions(call, { disallowPublicOrgRegistration, allowedLanguages }) {
      const input = { languages: allowedLanguages?.list, disallowPublicOrgRegistration };
      return { details: toObjectDetails(await setRestrictions(deps, call, input)) };
    },
    async getOIDCSettings(call) {
      const { settings, details } = await getSettings(deps, call, { kind: "oidc" });
      return { settings: { ...writeFields(oidcFields, "v1", settings), details: toObjectDetails(details) } };
    },
    // Every instance has these settings from the start, so there is nothing to add.
    addOIDCSettings: (call, request) => writeOidc(call, request, true),
    updateOIDCSettings: (call, request) => writeOidc(call, request, false),
  });
}
