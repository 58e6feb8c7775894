/** Writing direction, as the attribute `dir` spells it. */
export type Direction = "ltr" | "rtl";

// Scripts written from right to left, by the languages that use them; takes any BCP 47 tag, so that a new catalogue needs no change here.
const rightToLeft = new Set(["ar", "fa", "he", "ur"]);

/** The direction in which a language is written. */
export const directionOf = (tag: string): Direction => (rightToLeft.has(tag.split("-", 1)[0] ?? "") ? "rtl" : "ltr");
