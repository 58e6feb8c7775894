import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL(import.meta.resolve("@doorward/login/assets/login.css")), "utf8");
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
const tokens = (part: string): Map<string, string> =>
  new Map([...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]));
const themes = { light: tokens(light), dark: tokens(dark.slice(0, dark.indexOf("}\n}"))) };

// WCAG 2.2, relative luminance and contrast ratio.
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (brighter + 0.05) / (darker + 0.05);
}

// What stands on what. `paper` and `lamp` are the ends of the gradient behind everything.
const grounds = ["paper", "lamp", "card"];
const texts: [string, string[]][] = [
  ["ink", [...grounds, "field", "tint", "error-tint", "notice"]],
  ["muted", [...grounds, "field", "tint"]],
  ["link", [...grounds, "field", "tint"]],
  ["error", [...grounds, "error-tint"]],
  ["on-primary", ["primary", "primary-hover"]],
];
const shapes: [string, string[]][] = [
  ["control", [...grounds, "field"]],
  ["primary", grounds],
  ["error", ["field", ...grounds]],
  ["focus", [...grounds, "field"]],
  ["door", grounds],
];

for (const [theme, colours] of Object.entries(themes)) {
  const colour = (name: string): string => colours.get(name) ?? assert.fail(`${theme} has no colour ${name}`);
  const measure = (pairs: [string, string[]][], least: number): void => {
    for (const [front, backs] of pairs) {
      for (const back of backs) {
        const ratio = contrast(colour(front), colour(back));
        assert.ok(ratio >= least, `${theme}: ${front} on ${back} is ${ratio.toFixed(2)}:1, needs ${least}:1`);
      }
    }
  };
  test(`${theme}: text is read at 4.5:1 or better (WCAG 1.4.3)`, () => measure(texts, 4.5));
  test(`${theme}: outlines, focus and pictures are seen at 3:1 or better (WCAG 1.4.11)`, () => measure(shapes, 3));
  test(`${theme}: initials are read on their picture`, () => measure([["on-door", ["door"]]], 4.5));
}

test("both themes have the same colours", () => {
  assert.deepEqual([...themes.light.keys()], [...themes.dark.keys()]);
});
