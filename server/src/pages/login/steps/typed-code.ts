const longestCode = 64;

/** A code as somebody typed or followed it: groups and capitals are for the eye. */
export const readTypedCode = (text: string | null): string =>
  (text ?? "").replace(/[\s-]/g, "").slice(0, longestCode).toUpperCase();
