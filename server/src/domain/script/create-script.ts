import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdOrganizationFor } from "../organization/index.ts";
import { recordScript } from "./record-script.ts";
import { countScripts, insertScript } from "./script.store.ts";
import { checkScript, mostScripts, type Script, type ScriptInput } from "./script.ts";
import { trustOfCaller } from "./script-trust.ts";

/**
 * Creates a script in an organization; it runs once it is set at a trigger. Throws the Faults of `checkScript`,
 * `action.too_many` and `action.name_taken`.
 */
export function createScript(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  { organizationId, ...input }: ScriptInput & { readonly organizationId: string },
): Promise<Script> {
  const checked = checkScript(input);
  return deps.database.change(call, async (tx) => {
    // Locked, so that concurrent creations see each other.
    await holdOrganizationFor(tx, organizationId, "org.action.write");
    if ((await countScripts(tx, organizationId, mostScripts)) >= mostScripts) {
      throw new Fault("resource_exhausted", "action.too_many", { values: { maximum: mostScripts } });
    }
    const script = await insertScript(tx, {
      ...checked,
      organizationId,
      scriptId: deps.newId(),
      nameKey: canonicalName(checked.name),
      trust: trustOfCaller(call),
    });
    if (script === undefined) throw new Fault("already_exists", "action.name_taken", { field: "name" });
    recordScript(tx, script, "action.created");
    return script;
  });
}
