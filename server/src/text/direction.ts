/** Writing direction, as the attribute `dir` spells it. */
export type Direction = "ltr" | "rtl";

// Languages that are written from right to left. Works for any BCP 47 tag, so a new catalogue needs no change here.
const rightToLeft = new Set(["ar", "fa", "he", "ur"]);

/** Returns the direction in which a language is written. */
export const directionOf = (tag: string): Direction => (rightToLeft.has(tag.split("-", 1)[0] ?? "") ? "rtl" : "ltr");
