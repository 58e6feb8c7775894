import { defaultBrandingSettings, type Theme } from "../settings/index.ts";
import { type Palette, paletteOf } from "./palette.ts";

/** The colors of the built-in look, as the style sheet of the pages has them (a test compares). */
export const builtInPalettes: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    paper: "#efece3",
    lamp: "#fffdf7",
    card: "#fffefb",
    field: "#ffffff",
    ink: "#18231f",
    muted: "#54605a",
    line: "#dedad0",
    control: "#7b857f",
    primary: "#12594a",
    "primary-hover": "#0c4438",
    "on-primary": "#ffffff",
    link: "#0f5a4a",
    tint: "#eaf1ed",
    error: "#a3241d",
    "error-tint": "#fcecea",
    success: "#17703a",
    "success-tint": "#e7f4ea",
    notice: "#fbf1d9",
    focus: "#a35a00",
    door: "#12594a",
    "on-door": "#ffffff",
    light: "#f0bb4f",
  },
  dark: {
    paper: "#0b100e",
    lamp: "#222c22",
    card: "#19211c",
    field: "#0f1613",
    ink: "#e9eeeb",
    muted: "#a5b2ac",
    line: "#293530",
    control: "#6f8077",
    primary: "#79d0b6",
    "primary-hover": "#97dfc9",
    "on-primary": "#05241c",
    link: "#86d6be",
    tint: "#202b24",
    error: "#ffa396",
    "error-tint": "#311a17",
    success: "#77d394",
    "success-tint": "#16291d",
    notice: "#2a2314",
    focus: "#f3c667",
    door: "#45a78d",
    "on-door": "#05241c",
    light: "#f3c667",
  },
};

/** Returns the colors of a theme; the built-in colors where none are chosen. */
export function paletteOfTheme(chosen: Theme, name: "light" | "dark"): Palette {
  const own = defaultBrandingSettings[name === "light" ? "lightTheme" : "darkTheme"];
  const theme = { ...own };
  for (const member of ["primaryColor", "backgroundColor", "warnColor", "fontColor"] as const) {
    if (chosen[member] !== "") theme[member] = chosen[member].toLowerCase();
  }
  const isOwn = Object.entries(own).every(([member, colour]) => theme[member as keyof Theme] === colour);
  return isOwn ? builtInPalettes[name] : paletteOf(theme);
}
