/**
 * Folds the case of a text letter by letter: when one text contains another, their folded forms do too. `toLowerCase`
 * alone depends on the end of a word (Greek Σ becomes ς there and σ elsewhere). SQL statements do the same with
 * `replace(lower(…), 'ς', 'σ')`.
 */
export const foldCase = (value: string): string => value.toLowerCase().replaceAll("ς", "σ");
