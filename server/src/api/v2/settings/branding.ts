import { ThemeMode } from "@doorward/api/service/settings/v2/branding_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { urlOfAsset } from "../../../domain/branding/index.ts";
import { activeBranding, type Branding, type GetSettingsDeps, getSettings } from "../../../domain/settings/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext } from "../../contract/index.ts";

/** SettingsService: how pages and mails look. */
export const brandingMethods = (deps: BrandingDeps): Binding =>
  bind(SettingsService, {
    async getBrandingSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "branding", ...readSettingsContext(call, ctx) });
      return answerSettings(found, toMessage(activeBranding(found.settings), await deps.originOf(call.instanceId)));
    },
  });

const themeModes = {
  auto: ThemeMode.AUTO,
  light: ThemeMode.LIGHT,
  dark: ThemeMode.DARK,
} as const satisfies Record<Branding["themeMode"], ThemeMode>;

const toMessage = ({ lightTheme, darkTheme, themeMode, assets, ...branding }: Branding, origin: string) => ({
  ...branding,
  lightTheme: {
    ...lightTheme,
    logoUrl: urlOfAsset(origin, assets, "logo"),
    iconUrl: urlOfAsset(origin, assets, "icon"),
  },
  darkTheme: {
    ...darkTheme,
    logoUrl: urlOfAsset(origin, assets, "logoDark"),
    iconUrl: urlOfAsset(origin, assets, "iconDark"),
  },
  fontUrl: urlOfAsset(origin, assets, "font"),
  themeMode: themeModes[themeMode],
});

export interface BrandingDeps extends GetSettingsDeps {
  /** Public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}
