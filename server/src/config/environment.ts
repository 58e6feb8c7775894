import process from "node:process";

/** Returns the environment of the process: the only place that reads it. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
