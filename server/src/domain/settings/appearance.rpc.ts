import { ThemeMode } from "@doorward/api/service/settings/v2/branding_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { type Binding, bind, toListDetails } from "../../contract/index.ts";
import { activeBranding, type Branding } from "./branding-settings.ts";
import { type GetSettingsDeps, getSettings, requirePolicyRead } from "./get-settings.ts";
import { answer, readContext } from "./settings-answer.rpc.ts";

/** SettingsService: how the login looks and where it leads. */
export const appearanceMethods = (deps: GetSettingsDeps): Binding =>
  bind(SettingsService, {
    async getBrandingSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "branding", ...readContext(call, ctx) });
      const { themeMode, ...branding } = activeBranding(found.settings);
      return answer(found, { ...branding, themeMode: themeModes[themeMode] });
    },
    async getLegalAndSupportSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "legal_support", ...readContext(call, ctx) });
      return answer(found, found.settings);
    },
    // Nobody can sign in with an identity provider of somebody else yet, so none is active.
    async getActiveIdentityProviders(call) {
      requirePolicyRead(call);
      return { details: toListDetails(0, call.now), identityProviders: [] };
    },
  });

const themeModes = {
  auto: ThemeMode.AUTO,
  light: ThemeMode.LIGHT,
  dark: ThemeMode.DARK,
} as const satisfies Record<Branding["themeMode"], ThemeMode>;
