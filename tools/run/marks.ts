import process from "node:process";

/** The environment variable that tells, in a process and in all that it started, for which test file. */
export const fileVariable = "DOORWARD_TEST_FILE";

/** The same for the group of test files. */
export const groupVariable = "DOORWARD_TEST_GROUP";

/** What a line begins with that a group's process writes for the runner alone. */
export const mark = "\u0001doorward ";

/**
 * Milliseconds that a test file may take. Several times what the longest takes: a shared machine may give a run a tenth
 * of its processors for minutes.
 */
export const fileTimeout = (): number =>
  Number(process.env["DOORWARD_TEST_TIMEOUT"] ?? (process.env["DOORWARD_TEST_WHOLE"] === "true" ? 60 : 20) * 60_000);
