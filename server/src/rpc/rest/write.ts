/** Turns a message, or a value of a field, into the JSON value that REST answers with. */
export type Write = (value: unknown) => unknown;
