/**
 * Returns the form in which names are compared: NFKC, lower case, NFKC again (lower-casing can leave composed forms
 * apart). The compared form is stored as a key; the entered form is shown and mailed.
 */
export function canonicalName(name: string): string {
  // ASCII is its own normal form, and most names are.
  if (/^\p{ASCII}*$/u.test(name)) return name.toLowerCase().trim();
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
}

// Control, format (zero width, bidi), surrogate, private use and unassigned code points, and letters and signs that are
// blank (Hangul and Khmer fillers, the grapheme joiner, the empty Braille pattern): invisible in a name, so rejected.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5/u;

/** Whether the text has code points that cannot be seen or that reorder what is seen. */
export const hasInvisible = (text: string): boolean => invisible.test(text);
