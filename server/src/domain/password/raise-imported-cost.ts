import { minutes } from "../../base/clock.ts";
import type { PasswordHasher } from "../../base/password/password-hash.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findImportedCost, raiseCost } from "./imported-cost.store.ts";

const freshness = minutes(30);

/**
 * Has refused sign-ins of the instance take as long as a check of this hash, before a user has it, or where it was
 * imported before there was a limit, before it is checked. Does nothing for a hash of our own.
 */
export async function raiseImportedCost(
  { database, passwordHasher }: { readonly database: Database; readonly passwordHasher: PasswordHasher },
  call: Call,
  hash: string,
): Promise<void> {
  const milliseconds = passwordHasher.costOfImported(hash);
  if (milliseconds === 0) return;
  const known = await findImportedCost(database.read, call.instanceId);
  // Written seldom: imports of many users would wait for one another.
  if (known !== undefined && known.milliseconds >= milliseconds && known.raisedAt > call.now - freshness) return;
  await database.touch(call, (tx) => raiseCost(tx, milliseconds));
}
