import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { ThemeMode } from "@doorward/api/service/settings/v2/branding_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import type { Call } from "../../call/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { activeBranding, type Branding, getSettings } from "../settings/index.ts";
import { urlOfAsset } from "./asset-url.ts";
import { type LabelDeps, labelMethods } from "./label-methods.rpc.ts";
import { toLabelPolicy } from "./label-policy.rpc.ts";

/** How pages and mails look: of the instance, of organizations, and of the caller's own organization. */
export const brandingMethods = (deps: LabelDeps): Binding[] => [
  ofInstance(deps),
  ofOrganization(deps),
  bind(AuthService, {
    // Every caller may know the look of their own organization; the organization header does not select another.
    async getMyLabelPolicy(call) {
      const organizationId = call.caller?.organizationId || undefined;
      const found = await deps.settings.getCommitted("branding", { instanceId: call.instanceId, organizationId });
      return { policy: toLabelPolicy(found, activeBranding(found.settings), await deps.originOf(call.instanceId)) };
    },
  }),
  bind(SettingsService, {
    async getBrandingSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "branding", ...readSettingsContext(call, ctx) });
      return answerSettings(found, toMessage(activeBranding(found.settings), await deps.originOf(call.instanceId)));
    },
  }),
];

function ofInstance(deps: LabelDeps): Binding {
  const label = labelMethods(deps);
  return bind(AdminService, {
    getLabelPolicy: async (call) => ({ policy: (await label.get(call, "")).policy }),
    getPreviewLabelPolicy: async (call) => ({ policy: (await label.preview(call, "")).policy }),
    updateLabelPolicy: (call, request) => label.update(call, "", request),
    activateLabelPolicy: (call) => label.activate(call, ""),
    removeLabelPolicyLogo: (call) => label.remove(call, "", "logo"),
    removeLabelPolicyLogoDark: (call) => label.remove(call, "", "logoDark"),
    removeLabelPolicyIcon: (call) => label.remove(call, "", "icon"),
    removeLabelPolicyIconDark: (call) => label.remove(call, "", "iconDark"),
    removeLabelPolicyFont: (call) => label.remove(call, "", "font"),
  });
}

function ofOrganization(deps: LabelDeps): Binding {
  const label = labelMethods(deps);
  return bind(ManagementService, {
    getLabelPolicy: (call) => label.get(call, ofCall(call)),
    getPreviewLabelPolicy: (call) => label.preview(call, ofCall(call)),
    getDefaultLabelPolicy: async (call) => ({ policy: (await label.get(call, "")).policy }),
    addCustomLabelPolicy: (call, request) => label.add(call, ofCall(call), request),
    updateCustomLabelPolicy: (call, request) => label.update(call, ofCall(call), request),
    activateCustomLabelPolicy: (call) => label.activate(call, ofCall(call)),
    removeCustomLabelPolicyLogo: (call) => label.remove(call, ofCall(call), "logo"),
    removeCustomLabelPolicyLogoDark: (call) => label.remove(call, ofCall(call), "logoDark"),
    removeCustomLabelPolicyIcon: (call) => label.remove(call, ofCall(call), "icon"),
    removeCustomLabelPolicyIconDark: (call) => label.remove(call, ofCall(call), "iconDark"),
    removeCustomLabelPolicyFont: (call) => label.remove(call, ofCall(call), "font"),
    resetLabelPolicyToDefault: (call) => label.reset(call, ofCall(call)),
  });
}

const ofCall = ({ organizationId = "" }: Call): string => organizationId;

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
