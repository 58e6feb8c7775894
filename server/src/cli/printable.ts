/**
 * Returns a text without the characters that a terminal obeys instead of showing them. Some of what is printed comes
 * from servers that the user named.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");

/**
 * Returns a value as JSON on one line. JSON escapes the control characters of ASCII, but not those after it, which
 * terminals obey alike.
 */
export const printableJson = (value: object): string =>
  `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
