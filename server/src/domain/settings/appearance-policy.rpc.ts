import type { MessageInitShape } from "@bufbuild/protobuf";
import { type LabelPolicySchema, type PrivacyPolicySchema, ThemeMode } from "@doorward/api/service/policy/v1/policy_pb";
import { toObjectDetails } from "../../contract/index.ts";
import type { Branding, BrandingSettings } from "./branding-settings.ts";
import type { LegalSupportSettings } from "./legal-support-settings.ts";
import type { EffectiveSettings } from "./settings.ts";

// How the login looks and where it leads, as the first generation of the API shows and takes it.
const common = ({ details, source }: EffectiveSettings<object>) => ({
  details: toObjectDetails(details),
  isDefault: source === "instance",
});

const themeModes = {
  auto: ThemeMode.AUTO,
  light: ThemeMode.LIGHT,
  dark: ThemeMode.DARK,
} as const satisfies Record<Branding["themeMode"], ThemeMode>;

/** The look that holds, or the one that is prepared. There are no pictures and fonts. */
export function toLabelPolicy(
  found: EffectiveSettings<BrandingSettings>,
  branding: Branding = found.settings,
): MessageInitShape<typeof LabelPolicySchema> {
  const { lightTheme, darkTheme } = branding;
  return {
    ...common(found),
    ...lightTheme,
    primaryColorDark: darkTheme.primaryColor,
    backgroundColorDark: darkTheme.backgroundColor,
    warnColorDark: darkTheme.warnColor,
    fontColorDark: darkTheme.fontColor,
    hideLoginNameSuffix: branding.hideLoginNameSuffix,
    disableWatermark: branding.disableWatermark,
    themeMode: themeModes[branding.themeMode],
  };
}

export interface LabelRequest {
  readonly primaryColor: string;
  readonly backgroundColor: string;
  readonly warnColor: string;
  readonly fontColor: string;
  readonly primaryColorDark: string;
  readonly backgroundColorDark: string;
  readonly warnColorDark: string;
  readonly fontColorDark: string;
  readonly hideLoginNameSuffix: boolean;
  readonly disableWatermark: boolean;
  readonly themeMode: ThemeMode;
}

export function fromLabelRequest(request: LabelRequest): Branding {
  const { primaryColor, backgroundColor, warnColor, fontColor } = request;
  return {
    lightTheme: { primaryColor, backgroundColor, warnColor, fontColor },
    darkTheme: {
      primaryColor: request.primaryColorDark,
      backgroundColor: request.backgroundColorDark,
      warnColor: request.warnColorDark,
      fontColor: request.fontColorDark,
    },
    themeMode: (["light", "dark"] as const).find((mode) => themeModes[mode] === request.themeMode) ?? "auto",
    hideLoginNameSuffix: request.hideLoginNameSuffix,
    disableWatermark: request.disableWatermark,
  };
}

export function toPrivacyPolicy(
  found: EffectiveSettings<LegalSupportSettings>,
): MessageInitShape<typeof PrivacyPolicySchema> {
  const { privacyPolicyLink: privacyLink, ...links } = found.settings;
  return { ...common(found), ...links, privacyLink };
}

export interface PrivacyRequest {
  readonly tosLink: string;
  readonly privacyLink: string;
  readonly helpLink: string;
  readonly supportEmail: string;
  readonly docsLink: string;
  readonly customLink: string;
  readonly customLinkText: string;
}

export function fromPrivacyRequest(request: PrivacyRequest): LegalSupportSettings {
  const {
    tosLink,
    privacyLink: privacyPolicyLink,
    helpLink,
    supportEmail,
    docsLink,
    customLink,
    customLinkText,
  } = request;
  return { tosLink, privacyPolicyLink, helpLink, supportEmail, docsLink, customLink, customLinkText };
}
