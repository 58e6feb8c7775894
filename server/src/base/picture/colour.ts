/** A color as `#rrggbb`. */
export type Colour = string;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (colour: Colour): Channels => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [red, green, blue];
};

/** Relative luminance (WCAG 2.2): 0 for black, 1 for white. */
function luminanceOf(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const linear = (channel: number): number =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

/** Contrast of two colors (WCAG 2.2): 1 for the same, 21 for black on white. */
const contrastOf = (one: Colour, other: Colour): number => ratioOf(luminanceOf(one), luminanceOf(other));

const ratioOf = (left: number, right: number): number =>
  (Math.max(left, right) + 0.05) / (Math.min(left, right) + 0.05);

/** Mixes two colors: `amount` 0 is the first, 1 the second. */
export function mix(from: Colour, to: Colour, amount: number): Colour {
  const [start, end] = [channelsOf(from), channelsOf(to)];
  const parts = start.map((channel, at) => Math.round(channel + ((end[at] ?? 0) - channel) * amount));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever is easier to read on a color: always at 4.5:1 or better. */
export const textOn = (colour: Colour): Colour =>
  contrastOf("#000000", colour) >= contrastOf("#ffffff", colour) ? "#000000" : "#ffffff";

const steps = 64;

/**
 * Returns the color, or the nearest one between it and `end` (black or white) that has the required contrast with
 * every background; `end` itself when no other has.
 */
export function reach(colour: Colour, end: Colour, grounds: readonly Colour[], least: number): Colour {
  const behind = grounds.map(luminanceOf);
  for (let step = 0; step < steps; step += 1) {
    const candidate = mix(colour, end, step / steps);
    const luminance = luminanceOf(candidate);
    if (behind.every((ground) => ratioOf(luminance, ground) >= least)) return candidate;
  }
  return end;
}
