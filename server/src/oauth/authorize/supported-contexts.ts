import { levelOfContext } from "../../domain/session/index.ts";

/** Returns the values of `acr` that are supported, in the given order. */
export const keepSupported = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value) => typeof value === "string").filter((value) => levelOfContext(value) > 0)),
];
