import { Fault } from "../../../src/base/fault.ts";

/**
 * How an operation ended: `ok`, or code and slug of the Fault. Anything else that is thrown is a mistake and continues.
 */
export async function outcome(operation: () => Promise<unknown>): Promise<string> {
  try {
    await operation();
    return "ok";
  } catch (error) {
    if (error instanceof Fault) return `${error.code} ${error.id}`;
    throw error;
  }
}

/** The code alone. */
export const code = async (operation: () => Promise<unknown>): Promise<string> =>
  (await outcome(operation)).split(" ", 1)[0] ?? "";
