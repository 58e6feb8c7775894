/** How well a text of one color can be read on another. */
export interface Contrast {
  /** From 1 to 21 (WCAG 2.2, 1.4.3). */
  readonly ratio: number;
  readonly level: "good" | "enough" | "weak" | "none";
}

/** Measures two colors that are written as `#rrggbb`. */
export function contrastOf(one: string, other: string): Contrast {
  const [high = 1, low = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => right - left);
  const ratio = (high + 0.05) / (low + 0.05);
  return { ratio, level: ratio >= 7 ? "good" : ratio >= 4.5 ? "enough" : ratio >= 3 ? "weak" : "none" };
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
