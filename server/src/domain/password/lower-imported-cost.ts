import { hours } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { deleteCost, hasImportedHash, type ImportedCost } from "./imported-cost.store.ts";

// A hash is stored a moment after the cost was raised for it.
const longestImport = hours(1);

/** Lets refused sign-ins of the instance take their usual time again, once no user has an imported hash. */
export async function lowerImportedCost(
  { database }: { readonly database: Database },
  call: Call,
  { raisedAt }: ImportedCost,
): Promise<void> {
  const before = call.now - longestImport;
  if (raisedAt > before || (await hasImportedHash(database.read, call.instanceId))) return;
  await database.touch(call, (tx) => deleteCost(tx, before));
}
