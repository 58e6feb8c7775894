import { createHash } from "node:crypto";
import { type Branding, type BrandingAssets, defaultBrandingSettings } from "../settings/index.ts";
import { pathOfAsset } from "./asset-url.ts";
import { builtInPalettes, paletteOfTheme } from "./built-in-palettes.ts";
import type { Palette } from "./palette.ts";

/** A picture for each theme; one that there is only for the other theme serves both. */
export interface Pair {
  readonly light: string;
  readonly dark: string;
}

/** A look, ready for pages and mails: every colour is readable where it stands. */
export interface Brand {
  /** Who is looked at: stands where a picture of it does not. */
  readonly name: string;
  readonly themeMode: Branding["themeMode"];
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  /** Paths. */
  readonly logo: Pair | undefined;
  readonly icon: Pair | undefined;
  readonly style: BrandStyle | undefined;
  readonly hidesLoginNameSuffix: boolean;
  /** Whether pages say what they are made with. */
  readonly hasWatermark: boolean;
}

/** The style sheet of a look. Absent where it is our own. */
export interface BrandStyle {
  readonly css: string;
  /** Changes with the content. */
  readonly hash: string;
}

/** Puts a look together. */
export function brandOf(branding: Branding, name: string): Brand {
  const { lightTheme, darkTheme, themeMode, assets = {} } = branding;
  const light = paletteOfTheme(lightTheme, "light");
  const dark = paletteOfTheme(darkTheme, "dark");
  return {
    ...{ name, themeMode, palettes: { light, dark } },
    logo: pairOf(assets.logo, assets.logoDark),
    icon: pairOf(assets.icon, assets.iconDark),
    style: styleOf({ light, dark }, themeMode, assets),
    hidesLoginNameSuffix: branding.hideLoginNameSuffix,
    hasWatermark: !branding.disableWatermark,
  };
}

function pairOf(light: string | undefined, dark: string | undefined): Pair | undefined {
  const any = light ?? dark;
  return any === undefined ? undefined : { light: pathOfAsset(light ?? any), dark: pathOfAsset(dark ?? any) };
}

function styleOf(palettes: Brand["palettes"], mode: Branding["themeMode"], { font }: BrandingAssets) {
  const { light, dark } = palettes;
  const isOurs = mode === "auto" && light === builtInPalettes.light && dark === builtInPalettes.dark;
  if (isOurs && font === undefined) return undefined;
  const css = [...(font === undefined ? [] : fontRules(font)), ...themeRules(palettes, mode)].join("\n");
  return { css, hash: createHash("sha256").update(css).digest("base64url").slice(0, 22) };
}

// Names of files are hashes with an ending, so nothing in them can end the string.
const fontRules = (font: string): string[] => [
  `@font-face{font-family:Brand;src:url("${pathOfAsset(font)}") format("woff2");font-display:swap}`,
  "body{font-family:Brand,system-ui,sans-serif}",
];

function themeRules({ light, dark }: Brand["palettes"], mode: Branding["themeMode"]): string[] {
  if (mode !== "auto") return [`:root{color-scheme:${mode};${declare(mode === "light" ? light : dark)}}`];
  return [`:root{${declare(light)}}`, `@media (prefers-color-scheme:dark){:root{${declare(dark)}}}`];
}

const declare = (palette: Palette): string =>
  Object.entries(palette)
    .map(([token, colour]) => `--${token}:${colour}`)
    .join(";");

/** Our own look. */
export const builtInBrand: Brand = brandOf(defaultBrandingSettings, "Doorward");
