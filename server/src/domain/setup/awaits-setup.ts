import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { hasHumanUsers } from "./human-user.store.ts";

/** Whether the instance never had an administrator and has no users who could sign in: only service accounts. */
export async function awaitsSetup(deps: { readonly database: Database }, { instanceId }: Call): Promise<boolean> {
  const { read } = deps.database;
  if ((await findInstance(read, instanceId))?.setupCompletedAt !== null) return false;
  return !(await hasHumanUsers(read, instanceId));
}
