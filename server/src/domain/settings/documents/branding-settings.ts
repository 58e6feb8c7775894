import { Fault } from "../../../base/fault.ts";

/** Colors of one theme, `#rrggbb`; empty for the built-in colors. */
export interface Theme {
  readonly primaryColor: string;
  readonly backgroundColor: string;
  readonly warnColor: string;
  readonly fontColor: string;
}

/** What can be uploaded. The dark ones are for the dark theme. */
const brandingAssetSlots = ["logo", "logoDark", "icon", "iconDark", "font"] as const;
export type BrandingAssetSlot = (typeof brandingAssetSlots)[number];

/** Names of files: the hash of the content and an extension. An absent slot has no upload. */
export type BrandingAssets = { readonly [slot in BrandingAssetSlot]?: string };

/** Branding of the login. */
export interface Branding {
  readonly lightTheme: Theme;
  readonly darkTheme: Theme;
  readonly themeMode: "auto" | "light" | "dark";
  /** Show login names without the domain when the organization is known. */
  readonly hideLoginNameSuffix: boolean;
  readonly disableWatermark: boolean;
  readonly assets?: BrandingAssets;
}

/** The active branding, and the draft. */
export interface BrandingSettings extends Branding {
  /** Absent while nothing is prepared. */
  readonly draft?: Branding;
}

/** The colors of our own pages. */
export const defaultBrandingSettings: BrandingSettings = {
  lightTheme: { primaryColor: "#12594a", backgroundColor: "#efece3", warnColor: "#a3241d", fontColor: "#18231f" },
  darkTheme: { primaryColor: "#79d0b6", backgroundColor: "#0b100e", warnColor: "#ffa396", fontColor: "#e9eeeb" },
  themeMode: "auto",
  hideLoginNameSuffix: false,
  disableWatermark: false,
};

/** Refuses values that are not colors, because they are written into style sheets. */
export function checkBrandingSettings(settings: BrandingSettings): void {
  for (const branding of [settings, ...(settings.draft === undefined ? [] : [settings.draft])]) {
    checkTheme(branding.lightTheme, "");
    checkTheme(branding.darkTheme, "Dark");
  }
}

function checkTheme(theme: Theme, suffix: "" | "Dark"): void {
  for (const [name, color] of Object.entries(theme)) {
    if (color !== "" && !/^#[0-9a-f]{6}$/i.test(color)) {
      throw new Fault("invalid_argument", "settings.branding.color_invalid", { field: name + suffix });
    }
  }
}

/** Returns the active branding, without the draft. */
export function activeBranding({ draft: _, ...branding }: BrandingSettings): Branding {
  return branding;
}
