import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { updateInstanceName } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";

/** Renames an instance. Its current name is accepted and changes nothing. */
export function updateInstance(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly name: string },
): Promise<Details> {
  const name = input.name.trim();
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    const { details } = await authorizeInstance(tx, call, tx.instanceId, {
      permission: "iam.write",
      systemPermission: "system.instance.write",
    });
    if (!isName(name)) throw new Fault("invalid_argument", "instance.name_invalid", { field: "instanceName" });
    const sequence = await updateInstanceName(tx, name);
    if (sequence === undefined) return details;
    tx.record({ type: "instance.updated", ...instanceAggregate(tx.instanceId), sequence, payload: { name } });
    return { ...details, sequence, changedAt: tx.now };
  });
}
