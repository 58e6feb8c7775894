import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LabelPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import { urlOfAsset } from "../../../../domain/branding/index.ts";
import type {
  Branding,
  BrandingAssetSlot,
  BrandingSettings,
  EffectiveSettings,
  Theme,
} from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import {
  brandingFields,
  darkThemeFields,
  lightThemeFields,
  type PlainBranding,
} from "../../../settings/branding-fields.ts";
import { type Given, readFields, writeFields } from "../../../settings/fields.ts";

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
    ...writeFields(lightThemeFields, "v1", lightTheme),
    ...writeFields(darkThemeFields, "v1", darkTheme),
    ...writeFields(brandingFields, "v1", branding),
    logoUrl: urlOf("logo"),
    logoUrlDark: urlOf("logoDark"),
    iconUrl: urlOf("icon"),
    iconUrlDark: urlOf("iconDark"),
    fontUrl: urlOf("font"),
  };
}

/** The members of a request on the look. */
export type LabelRequest = Given<typeof lightThemeFields, "v1"> &
  Given<typeof darkThemeFields, "v1"> &
  Given<typeof brandingFields, "v1">;

const noColors: Theme = { primaryColor: "", backgroundColor: "", warnColor: "", fontColor: "" };
const plain: PlainBranding = { themeMode: "auto", hideLoginNameSuffix: false, disableWatermark: false };

/** Reads the look that a request asks for: it replaces all of it but the uploads. */
export const fromLabelRequest = (given: LabelRequest): Omit<Branding, "assets"> => ({
  ...readFields(brandingFields, "v1", { given, current: plain }),
  lightTheme: readFields(lightThemeFields, "v1", { given, current: noColors }),
  darkTheme: readFields(darkThemeFields, "v1", { given, current: noColors }),
});
