import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { builtInPalettes } from "../../src/domain/branding/index.ts";
import { initials, measure, shapes, texts } from "./support/contrast-rules.ts";

const css = readFileSync(new URL(import.meta.resolve("@doorward/login/assets/login.css")), "utf8");
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
const tokens = (part: string): Map<string, string> =>
  new Map([...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]));
const themes = { light: tokens(light), dark: tokens(dark.slice(0, dark.indexOf("}\n}"))) };

for (const [theme, colours] of Object.entries(themes)) {
  const colour = (name: string): string => colours.get(name) ?? assert.fail(`${theme} has no colour ${name}`);
  test(`${theme}: text is read at 4.5:1 or better (WCAG 1.4.3)`, () => measure(theme, colour, texts, 4.5));
  test(`${theme}: outlines, focus and pictures are seen at 3:1 or better (WCAG 1.4.11)`, () =>
    measure(theme, colour, shapes, 3));
  test(`${theme}: initials are read on their picture`, () => measure(theme, colour, initials, 4.5));
}

test("both themes have the same colors", () => {
  assert.deepEqual([...themes.light.keys()], [...themes.dark.keys()]);
});

test("what branding begins with are the colors of the style sheet", () => {
  for (const theme of ["light", "dark"] as const) {
    assert.deepEqual({ ...builtInPalettes[theme] }, Object.fromEntries(themes[theme]));
  }
});
