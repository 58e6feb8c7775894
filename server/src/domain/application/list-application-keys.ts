import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { applicationAbsence } from "./application.ts";
import type { ApplicationKey } from "./application-key.ts";
import {
  type ApplicationKeyFilter,
  type ApplicationKeyListQuery,
  listApplicationKeyRows,
} from "./application-key-list.store.ts";

/** Lists keys of the applications that the caller may read. */
export async function listApplicationKeys(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ApplicationKeyListQuery, "reach">,
): Promise<List<ApplicationKey>> {
  const reach = requireCaller(call).access.reach(applicationAbsence.readPermission);
  return listApplicationKeyRows(deps.database.read, call.instanceId, { ...input, reach });
}

/**
 * Returns the key with this id, of an application that the caller may read. `filters` are further conditions that it
 * must meet.
 */
export async function getApplicationKey(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly keyId: string; readonly filters?: readonly ApplicationKeyFilter[] },
): Promise<ApplicationKey> {
  const { rows } = await listApplicationKeys(deps, call, {
    filters: [{ kind: "key", keyId: input.keyId }, ...(input.filters ?? [])],
    orderBy: "key_id",
    isDescending: false,
    page: { offset: 0, limit: 1 },
  });
  const [key] = rows;
  if (key === undefined) throw new Fault("not_found", "application.key_not_found");
  return key;
}
