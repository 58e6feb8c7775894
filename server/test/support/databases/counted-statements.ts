import type { Database } from "../../../src/database/index.ts";
import { noteStatements } from "./noted-statements.ts";

/** Statements that a server sent to its database. */
export interface CountedStatements {
  /** Returns what was sent while the work ran, in order, without the background jobs' share. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/** Notes every statement that requests send through a database from now on. */
export function countStatements(database: Database): CountedStatements {
  let sent: string[] | undefined;
  noteStatements(database, ({ shape }) => void sent?.push(shape.sqlite.replaceAll(/\s+/g, " ").trim()));
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
