import { mix, textOn } from "../base/picture/colour.ts";
import { type Brand, builtInPalettes, type Palette as PagePalette } from "../domain/branding/index.ts";

/** Colors of one theme, each as `#rrggbb`. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  /** For less important text; derived from the text color by default. */
  readonly muted?: string;
  readonly primary: string;
}

/** The branding of an organization in mail. Plain data, independent of how it is stored. */
export interface Branding {
  readonly light: Palette;
  readonly dark: Palette;
  /** https address of an image, and its alternative text. */
  readonly logo?: { readonly url: string; readonly alternative: string } | undefined;
  /** https address of a WOFF2 font; mail programs that do not load fonts use their own. */
  readonly font?: string | undefined;
}

/** The default branding of mail. */
export const neutralBranding: Branding = {
  light: { background: "#fffefb", text: "#18231f", primary: "#12594a" },
  dark: { background: "#151c19", text: "#eef2ef", primary: "#7fd1b9" },
};

/**
 * Returns a palette with only valid colors. Invalid ones are replaced by the neutral palette's, so that no other text
 * gets into a style.
 */
export function safePalette(palette: Palette, neutral: Palette): Required<Palette> & { readonly onPrimary: string } {
  const primary = safeColour(palette.primary, neutral.primary);
  const background = safeColour(palette.background, neutral.background);
  const text = safeColour(palette.text, neutral.text);
  const muted = safeColour(palette.muted ?? "", mix(text, background, 0.2));
  return { background, text, muted, primary, onPrimary: textOn(primary) };
}

const safeColour = (colour: string, neutral: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : neutral);

/**
 * Returns the branding of an organization in mail: the colors of its pages, which are readable on any background, and
 * its logo. Only the instance's font is used: a font can draw any word as another one, and mails tell users what
 * happened to their accounts.
 */
export function mailBrandingOf(
  { palettes, themeMode, logo, name, font, isOfOrganization }: Brand & { readonly isOfOrganization: boolean },
  origin: string,
): Branding {
  const light = toPalette(palettes.light, "light");
  const dark = toPalette(palettes.dark, "dark");
  // Mail programs do not show SVG, and many do not show WebP.
  const picture = [logo?.light, logo?.dark].find((path) => path !== undefined && /\.(?:png|jpg)$/.test(path));
  return {
    light: themeMode === "dark" ? dark : light,
    dark: themeMode === "light" ? light : dark,
    logo: picture === undefined ? undefined : { url: origin + picture, alternative: name },
    font: font === undefined || isOfOrganization ? undefined : origin + font,
  };
}

const toPalette = (palette: PagePalette, theme: "light" | "dark"): Palette =>
  palette === builtInPalettes[theme]
    ? neutralBranding[theme]
    : { background: palette.card, text: palette.ink, muted: palette.muted, primary: palette.primary };
