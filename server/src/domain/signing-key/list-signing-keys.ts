import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listSigningKeyRecords } from "./signing-key.store.ts";
import type { SigningKeyRecord } from "./signing-key.ts";

/** Lists all keys of the instance, oldest first. */
export function listSigningKeys(deps: { readonly database: Database }, call: Call): Promise<SigningKeyRecord[]> {
  return listSigningKeyRecords(deps.database.read, call.instanceId);
}
