import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { authorize, type Call } from "../../call/index.ts";
import { type Database, type Details, UniqueViolation } from "../../database/index.ts";
import { recordScript } from "./record-script.ts";
import { holdScript, type ScriptKey, updateScriptRow } from "./script.store.ts";
import { checkScript, type Script, type ScriptInput, scriptAbsence } from "./script.ts";
import { sharedTrust, trustOfCaller } from "./script-trust.ts";

/**
 * Replaces name, text, timeout and tolerance of a script. The current values change nothing. A script is the word of
 * the author of its text: with the same text it is trusted with no more than before, and with no more than the caller.
 * Throws the Faults of `checkScript`, `action.not_found` and `action.name_taken`.
 */
export function updateScript(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, scriptId, ...input }: ScriptKey & ScriptInput,
): Promise<Details> {
  const checked = checkScript(input);
  return deps.database.change(call, async (tx) => {
    const script = await holdScript(tx, { organizationId, scriptId });
    authorize(call, script, { permission: "org.action.write", ...scriptAbsence });
    if (isSame(script, checked)) return script.details;
    const wanted = { ...checked, organizationId, scriptId, nameKey: canonicalName(checked.name) };
    const own = trustOfCaller(call);
    const trust = checked.script === script.script ? sharedTrust(script.trust, own) : own;
    const updated = await updateScriptRow(tx, { ...wanted, trust }).catch(refuseTakenName);
    if (updated === undefined) throw new Fault("not_found", "action.not_found");
    recordScript(tx, updated, "action.updated");
    return updated.details;
  });
}

const isSame = (script: Script, input: ScriptInput): boolean =>
  script.name === input.name &&
  script.script === input.script &&
  script.timeout === input.timeout &&
  script.isAllowedToFail === input.isAllowedToFail;

function refuseTakenName(error: unknown): never {
  if (!(error instanceof UniqueViolation)) throw error;
  throw new Fault("already_exists", "action.name_taken", { field: "name", cause: error });
}
