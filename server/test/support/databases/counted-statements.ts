import { currentPayer } from "../../../src/base/budget/payer.ts";
import type { Database } from "../../../src/database/index.ts";
import { noteStatements } from "./noted-statements.ts";

/** Statements that a server sent to its database. */
export interface CountedStatements {
  /** Returns what was sent while the work ran, in order. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/**
 * Notes every statement that is sent through a database from now on; with `isOfInstances` only what is done on the
 * account of an instance, so that no job that looks through all of them is counted.
 */
export function countStatements(database: Database, { isOfInstances = false } = {}): CountedStatements {
  let sent: string[] | undefined;
  noteStatements(database, ({ shape }) => {
    const [instanceId] = currentPayer();
    if (!isOfInstances || instanceId !== "") sent?.push(shape.sqlite.replaceAll(/\s+/g, " ").trim());
  });
  return {
    during: async (work) => {
      const noted: string[] = [];
      sent = noted;
      try {
        await work();
        return noted;
      } finally {
        sent = undefined;
      }
    },
  };
}
