import type { Database } from "../../../src/database/index.ts";

/** Returns the instances of units of work without history (`touch`) that a database begins from now on; it grows. */
export function noteUnits(database: Database): readonly string[] {
  const touch = database.touch.bind(database);
  const instances: string[] = [];
  const noted: Pick<Database, "touch"> = {
    touch: (call, work) => {
      instances.push(call.instanceId);
      return touch(call, work);
    },
  };
  Object.assign(database, noted);
  return instances;
}
