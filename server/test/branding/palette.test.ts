import assert from "node:assert/strict";
import { test } from "node:test";
import { brandOf, paletteOf } from "../../src/domain/branding/index.ts";
import { defaultBrandingSettings, type Theme } from "../../src/domain/settings/index.ts";
import { contrast, initials, measure, shapes, texts } from "../pages/support/contrast-rules.ts";
import { type Chance, chanceOf, testSeed } from "../support/data/random.ts";

const members = ["primaryColor", "backgroundColor", "warnColor", "fontColor"] as const;

// What people choose badly, and the ends of everything.
const awkward = [
  "#000000",
  "#ffffff",
  "#777777",
  "#757575",
  "#808080",
  "#ff0000",
  "#00ff00",
  "#0000ff",
  "#ffff00",
  "#fefefe",
];

const anyColour = (chance: Chance): string =>
  chance.percent(25) ? chance.one(awkward) : `#${chance.below(0x1000000).toString(16).padStart(6, "0")}`;

function checkReadable(theme: Theme): void {
  const palette: Readonly<Record<string, string>> = { ...paletteOf(theme) };
  const colourOf = (name: string): string => palette[name] ?? assert.fail(`no colour ${name}`);
  for (const [name, colour] of Object.entries(palette)) assert.match(colour, /^#[0-9a-f]{6}$/, name);
  const what = JSON.stringify(theme);
  measure(what, colourOf, texts, 4.5);
  measure(what, colourOf, shapes, 3);
  measure(what, colourOf, initials, 4.5);
}

test("whatever four colors are chosen, everything is read at 4.5:1 and seen at 3:1 (WCAG 1.4.3, 1.4.11)", () => {
  const seed = testSeed();
  const chance = chanceOf(seed);
  for (let count = 0; count < 400; count += 1) {
    const theme = Object.fromEntries(members.map((member) => [member, anyColour(chance)])) as unknown as Theme;
    try {
      checkReadable(theme);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});

test("every grey background can be read", () => {
  for (let grey = 0; grey < 256; grey += 5) {
    const backgroundColor = `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
    checkReadable({
      primaryColor: backgroundColor,
      backgroundColor,
      warnColor: backgroundColor,
      fontColor: backgroundColor,
    });
  }
});

test("colors that can be read stay what was chosen", () => {
  const theme = { primaryColor: "#003d99", backgroundColor: "#f4f6fb", warnColor: "#a3241d", fontColor: "#101828" };
  const palette = paletteOf(theme);
  assert.deepEqual(
    [palette.primary, palette.paper, palette.error, palette.ink],
    [theme.primaryColor, theme.backgroundColor, theme.warnColor, theme.fontColor],
  );
  assert.equal(palette["on-primary"], "#ffffff");
  // A yellow button is darkened until it is seen on a light page, and what stands on it is black.
  const yellow = paletteOf({ ...theme, primaryColor: "#ffd400" });
  assert.equal(yellow["on-primary"], "#000000");
  const ratio = contrast(yellow.primary, yellow.card);
  assert.ok(ratio >= 3 && ratio < 3.3, `${yellow.primary}: ${ratio}`);
});

test("the built-in look has no style sheet of its own; one theme alone, a font and a logo have", () => {
  const look = defaultBrandingSettings;
  assert.equal(brandOf(look, "Acme").style, undefined);
  const dark = brandOf({ ...look, themeMode: "dark" }, "Acme").style;
  assert.match(dark?.css ?? "", /^:root\{color-scheme:dark;--paper:#0b100e;/);
  assert.doesNotMatch(dark?.css ?? "", /@media/);
  const blue = brandOf({ ...look, lightTheme: { ...look.lightTheme, primaryColor: "#1D4ED8" } }, "Acme").style;
  assert.match(blue?.css ?? "", /--primary:#1d4ed8/);
  assert.match(blue?.css ?? "", /@media \(prefers-color-scheme:dark\)\{:root\{--paper:#0b100e;/);
  const font = brandOf({ ...look, assets: { font: `${"a".repeat(43)}.woff2` } }, "Acme").style;
  assert.match(font?.css ?? "", /^@font-face\{font-family:Brand;src:url\("\/branding\/a{43}\.woff2"\)/);
  assert.notEqual(dark?.hash, blue?.hash);
});
