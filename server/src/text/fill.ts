/**
 * Values for placeholders. A number is a quantity, written in the format of the language; pass anything else, including
 * ports, as text.
 */
export type TextValues = Readonly<Record<string, string | number>>;

/** A part of a text: words, or the name of a placeholder. */
export type TextPart = { readonly words: string } | { readonly placeholder: string };

const placeholder = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** Splits a text at its placeholders, in order. */
export function parseText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) parts.push({ words: text.slice(end, match.index) });
    parts.push({ placeholder: match[1] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ words: text.slice(end) });
  return parts;
}

/**
 * Replaces the placeholders of a text once: a value that looks like a placeholder is not replaced. A placeholder
 * without value stays visible. `numbers` is called only where there is a number to write: the first formatter of a
 * process reads 4 MiB of ICU data.
 */
export function fill(text: string, values: TextValues, numbers: () => Intl.NumberFormat): string {
  return text.replace(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers().format(value) : value;
  });
}
