import { type Database, type Reader, sql } from "../../../src/database/index.ts";

/** A reader of the embedded database that notes the steps by which every list is read (`explain query plan`). */
export function explainingReader({ engine, read }: Database): { readonly reader: Reader; readonly plans: string[] } {
  const plans: string[] = [];
  const reader: Reader = {
    engine,
    all: async (statement) => {
      const steps = await read.all<{ detail: string }>(sql`explain query plan ${statement}`);
      plans.push(...steps.map(({ detail }) => detail));
      return read.all(statement);
    },
    maybe: (statement) => read.maybe(statement),
  };
  return { reader, plans };
}
