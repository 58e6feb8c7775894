import { createCache, type Database } from "../../database/index.ts";
import { listScriptOwners, type ScriptOwner } from "./script-owners.store.ts";

/** Caches which organizations of an instance have scripts, current as of the last committed event. */
export const createScriptOwners = (database: Database) =>
  createCache<readonly ScriptOwner[]>(database, {
    load: (instanceId) => listScriptOwners(database.read, instanceId),
    aggregateTypes: ["organization"],
    isStaleAfter: ({ type, instanceId }, _owners, key) =>
      instanceId === key && (type.startsWith("organization.flow.") || type === "organization.deleted"),
    lengthOf: ({ length }) => length * 100,
  });
