import type { MessageInitShape } from "@bufbuild/protobuf";
import { type LabelPolicySchema, ThemeMode } from "@doorward/api/service/policy/v1/policy_pb";
import { urlOfAsset } from "../../../../domain/branding/index.ts";
import type {
  Branding,
  BrandingAssetSlot,
  BrandingSettings,
  EffectiveSettings,
} from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

const themeModes = {
  auto: ThemeMode.AUTO,
  light: ThemeMode.LIGHT,
  dark: ThemeMode.DARK,
} as const satisfies Record<Branding["themeMode"], ThemeMode>;

/** Converts a look, effective or draft, to the message of the first generation. */
export function toLabelPolicy(
  { details, source }: EffectiveSettings<BrandingSettings>,
  { lightTheme, darkTheme, assets, ...branding }: Branding,
  origin: string,
): MessageInitShape<typeof LabelPolicySchema> {
  const urlOf = (slot: BrandingAssetSlot): string => urlOfAsset(origin, assets, slot);
  return {
    details: toObjectDetails(details),
    isDefault: source === "instance",
    ...lightTheme,
    primaryColorDark: darkTheme.primaryColor,
    backgroundColorDark: darkTheme.backgroundColor,
    warnColorDark: darkTheme.warnColor,
    fontColorDark: darkTheme.fontColor,
    hideLoginNameSuffix: branding.hideLoginNameSuffix,
    disableWatermark: branding.disableWatermark,
    themeMode: themeModes[branding.themeMode],
    logoUrl: urlOf("logo"),
    logoUrlDark: urlOf("logoDark"),
    iconUrl: urlOf("icon"),
    iconUrlDark: urlOf("iconDark"),
    fontUrl: urlOf("font"),
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

/** Reads the look that a request asks for. */
export function fromLabelRequest(request: LabelRequest): Omit<Branding, "assets"> {
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
