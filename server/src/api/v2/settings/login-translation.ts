import type { GetHostedLoginTranslationRequest } from "@doorward/api/service/settings/v2/hosted_login_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import {
  getLoginTranslation,
  type LoginTranslationDeps,
  setLoginTranslation,
  type TranslationLevel,
  type Translations,
} from "../../../domain/login-text/index.ts";
import { type Binding, bind } from "../../contract/index.ts";

/** SettingsService: texts of a login. */
export const loginTranslationMethods = (deps: LoginTranslationDeps): Binding =>
  bind(SettingsService, {
    async getHostedLoginTranslation(call, { level, locale, ignoreInheritance }) {
      const wanted = { ...toLevel(level), locale, ignoreInheritance };
      const { translations, etag } = await getLoginTranslation(deps, call, wanted);
      return { etag, translations: toStruct(translations) };
    },
    async setHostedLoginTranslation(call, { level, locale, translations = {} }) {
      const organizationId = level.case === "organizationId" ? level.value : "";
      return setLoginTranslation(deps, call, { organizationId, locale, translations });
    },
  });

function toLevel(level: GetHostedLoginTranslationRequest["level"]): TranslationLevel {
  if (level.case === "system") return { level: "system" };
  if (level.case !== "organizationId" || level.value === "") return { level: "instance" };
  return { level: "organization", organizationId: level.value };
}

type Struct = { [key: string]: string | Struct };

const toStruct = (translations: Translations): Struct =>
  Object.fromEntries(
    Object.entries(translations).map(([key, value]) => [key, typeof value === "string" ? value : toStruct(value)]),
  );
