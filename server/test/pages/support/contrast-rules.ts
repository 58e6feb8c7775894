import assert from "node:assert/strict";

// WCAG 2.2, relative luminance and contrast ratio; written here again, so that a mistake in the product is not one in
// its measure.
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colors. */
export function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (brighter + 0.05) / (darker + 0.05);
}

type Pairs = readonly (readonly [front: string, backs: readonly string[]])[];

// What stands on what. `paper` and `lamp` are the ends of the gradient behind everything.
const grounds = ["paper", "lamp", "card"];

/** Text is read at 4.5:1 or better (WCAG 1.4.3). */
export const texts: Pairs = [
  ["ink", [...grounds, "field", "tint", "error-tint", "notice", "success-tint"]],
  ["muted", [...grounds, "field", "tint"]],
  ["link", [...grounds, "field", "tint"]],
  ["error", [...grounds, "error-tint"]],
  ["success", [...grounds, "success-tint"]],
  ["on-primary", ["primary", "primary-hover"]],
];

/** Outlines, focus and pictures are seen at 3:1 or better (WCAG 1.4.11). */
export const shapes: Pairs = [
  ["control", [...grounds, "field"]],
  ["primary", grounds],
  ["error", ["field", ...grounds]],
  ["focus", [...grounds, "field"]],
  ["door", grounds],
];

/** Initials are read on their picture. */
export const initials: Pairs = [["on-door", ["door"]]];

/** Holds pairs to their ratio. `what` names the palette when one does not. */
export function measure(what: string, colourOf: (name: string) => string, pairs: Pairs, least: number): void {
  for (const [front, backs] of pairs) {
    for (const back of backs) {
      const ratio = contrast(colourOf(front), colourOf(back));
      if (ratio < least) assert.fail(`${what}: ${front} on ${back} is ${ratio.toFixed(2)}:1, needs ${least}:1`);
    }
  }
}
