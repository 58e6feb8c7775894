import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance } from "./authorize-instance.ts";
import { checkLimits, type LimitsInput, setLimits } from "./set-limits.ts";

/**
 * Sets the limits of several instances, each in a unit of work of its own and in the order of the request. Everything
 * is checked before the first change, so that a mistake in one of them changes nothing.
 */
export async function setLimitsOfInstances(
  deps: { readonly database: Database },
  call: Call,
  inputs: readonly LimitsInput[],
): Promise<Details[]> {
  if (inputs.length === 0) throw new Fault("invalid_argument", "limits.none_given", { field: "limits" });
  for (const [index, input] of inputs.entries()) checkLimits(input, `limits[${index}].`);
  for (const [index, { instanceId }] of inputs.entries()) {
    const wanted = { systemPermission: "system.limits.write", field: `limits[${index}].instance_id` };
    await authorizeInstance(deps.database.read, call, instanceId, wanted);
  }
  const changed: Details[] = [];
  for (const input of inputs) changed.push(await setLimits(deps, call, input));
  return changed;
}
