/** Colours of one theme, each as `#rrggbb`. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly primary: string;
}

/** How an organization looks in mail. Plain data: whoever stores it is free to store more. */
export interface Branding {
  readonly light: Palette;
  readonly dark: Palette;
  /** https address of an image, and what is read out in its place. */
  readonly logo?: { readonly url: string; readonly alternative: string } | undefined;
}

/** The look of mail for which nobody chose one. */
export const neutralBranding: Branding = {
  light: { background: "#fffefb", text: "#18231f", primary: "#12594a" },
  dark: { background: "#151c19", text: "#eef2ef", primary: "#7fd1b9" },
};

/** A palette whose every colour is one; a colour that is none is replaced by the neutral one, so that nothing else gets into a style. */
export function safePalette(palette: Palette, neutral: Palette): Palette & { readonly onPrimary: string } {
  const primary = safeColour(palette.primary, neutral.primary);
  return {
    background: safeColour(palette.background, neutral.background),
    text: safeColour(palette.text, neutral.text),
    primary,
    onPrimary: textOn(primary),
  };
}

const safeColour = (colour: string, neutral: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : neutral);

// Black or white, whichever contrasts more (WCAG 2.2, relative luminance); at this luminance both are alike.
const evenLuminance = 0.179;

function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > evenLuminance ? "#000000" : "#ffffff";
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
