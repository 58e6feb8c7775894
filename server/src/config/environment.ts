import process from "node:process";

/** The process's environment: the only place that reads it. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
