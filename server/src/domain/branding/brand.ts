import { createHash } from "node:crypto";
import { type Branding, defaultBrandingSettings } from "../settings/index.ts";
import { pathOfAsset } from "./asset-url.ts";
import { builtInPalettes, paletteOfTheme } from "./built-in-palettes.ts";
import type { Palette } from "./palette.ts";
import { formatOfFont } from "./read-asset.ts";

/** A picture for each theme; when only one theme has a picture, it serves both. */
export interface Pair {
  readonly light: string;
  readonly dark: string;
}

/** A look, ready for pages and mails: every color is readable on its background. */
export interface Brand {
  /** Name of the organization or instance: shown where it has no picture. */
  readonly name: string;
  readonly themeMode: Branding["themeMode"];
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  /** Paths. */
  readonly logo: Pair | undefined;
  readonly icon: Pair | undefined;
  /** Path. */
  readonly font: string | undefined;
  readonly style: BrandStyle | undefined;
  readonly hidesLoginNameSuffix: boolean;
  /** Whether pages name the product that serves them. */
  readonly hasWatermark: boolean;
}

/** The style sheet of a look. Absent for the built-in look. */
interface BrandStyle {
  readonly css: string;
  /** Changes with the content. */
  readonly hash: string;
}

/** Builds a look. */
export function brandOf(branding: Branding, name: string): Brand {
  const { lightTheme, darkTheme, themeMode, assets = {} } = branding;
  const light = paletteOfTheme(lightTheme, "light");
  const dark = paletteOfTheme(darkTheme, "dark");
  return {
    name,
    themeMode,
    palettes: { light, dark },
    logo: inTheme(pairOf(assets.logo, assets.logoDark), themeMode),
    icon: pairOf(assets.icon, assets.iconDark),
    font: assets.font && pathOfAsset(assets.font),
    style: styleOf({ light, dark }, branding),
    hidesLoginNameSuffix: branding.hideLoginNameSuffix,
    hasWatermark: !branding.disableWatermark,
  };
}

function pairOf(light: string | undefined, dark: string | undefined): Pair | undefined {
  const any = light ?? dark;
  return any === undefined ? undefined : { light: pathOfAsset(light ?? any), dark: pathOfAsset(dark ?? any) };
}

// With a single theme there is a single picture.
function inTheme(pair: Pair | undefined, mode: Branding["themeMode"]): Pair | undefined {
  if (pair === undefined || mode === "auto") return pair;
  return { light: pair[mode], dark: pair[mode] };
}

function styleOf(palettes: Brand["palettes"], { themeMode, assets = {}, disableWatermark }: Branding) {
  const { light, dark } = palettes;
  const { font, logo = assets.logoDark } = assets;
  const isOurs = themeMode === "auto" && light === builtInPalettes.light && dark === builtInPalettes.dark;
  if (isOurs && font === undefined && logo === undefined && !disableWatermark) return undefined;
  const rules = [
    ...(isOurs ? [] : themeRules(palettes, themeMode)),
    ...(font === undefined ? [] : fontRules(font)),
    ...(logo === undefined && !disableWatermark ? [] : markRules),
  ];
  const css = rules.join("\n");
  return { css, hash: createHash("sha256").update(css).digest("base64url").slice(0, 22) };
}

// File names are hashes with an extension, so they cannot end the string. A font can draw any word as another one, so
// pages on which users decide something keep the built-in font (`data-font`).
const fontRules = (font: string): string[] => [
  `@font-face{font-family:Brand;src:url("${pathOfAsset(font)}") format("${formatOfFont(font)}");font-display:swap}`,
  "body:not([data-font]){font-family:Brand,system-ui,sans-serif}",
];

const markRules = [
  ".logo{display:block;max-width:min(100%,15rem);max-height:5rem}",
  ".owner{margin:0;font-size:1.25rem;font-weight:650}",
];

function themeRules({ light, dark }: Brand["palettes"], mode: Branding["themeMode"]): string[] {
  if (mode !== "auto") return [`:root{color-scheme:${mode};${declare(mode === "light" ? light : dark)}}`];
  return [`:root{${declare(light)}}`, `@media (prefers-color-scheme:dark){:root{${declare(dark)}}}`];
}

const declare = (palette: Palette): string =>
  Object.entries(palette)
    .map(([token, colour]) => `--${token}:${colour}`)
    .join(";");

/** The built-in look. */
export const builtInBrand: Brand = brandOf(defaultBrandingSettings, "Doorward");
