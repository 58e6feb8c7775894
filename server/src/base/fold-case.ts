/**
 * A text without its case, letter by letter: if one contains another, so do they when each is folded by itself. `toLowerCase` alone minds
 * the end of a word (Greek Σ becomes ς there and σ elsewhere). Statements say the same with `replace(lower(…), 'ς', 'σ')`.
 */
export const foldCase = (value: string): string => value.toLowerCase().replaceAll("ς", "σ");
