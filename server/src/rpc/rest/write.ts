/** Converts a message, or a value of a field, to the JSON value of REST responses. */
export type Write = (value: unknown) => unknown;
