import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { urlOfAsset } from "../../../domain/branding/index.ts";
import { activeBranding, type Branding, type GetSettingsDeps, getSettings } from "../../../domain/settings/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { brandingFields, darkThemeFields, lightThemeFields } from "../../settings/branding-fields.ts";
import { writeFields } from "../../settings/fields.ts";

/** SettingsService: how pages and mails look. */
export const brandingMethods = (deps: BrandingDeps): Binding =>
  bind(SettingsService, {
    async getBrandingSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "branding", ...readSettingsContext(call, ctx) });
      return answerSettings(found, toMessage(activeBranding(found.settings), await deps.originOf(call.instanceId)));
    },
  });

const toMessage = ({ lightTheme, darkTheme, assets, ...branding }: Branding, origin: string) => ({
  ...writeFields(brandingFields, "v2", branding),
  lightTheme: {
    ...writeFields(lightThemeFields, "v2", lightTheme),
    logoUrl: urlOfAsset(origin, assets, "logo"),
    iconUrl: urlOfAsset(origin, assets, "icon"),
  },
  darkTheme: {
    ...writeFields(darkThemeFields, "v2", darkTheme),
    logoUrl: urlOfAsset(origin, assets, "logoDark"),
    iconUrl: urlOfAsset(origin, assets, "iconDark"),
  },
  fontUrl: urlOfAsset(origin, assets, "font"),
});

export interface BrandingDeps extends GetSettingsDeps {
  /** Public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}
