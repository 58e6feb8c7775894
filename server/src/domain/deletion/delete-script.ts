import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { holdScript, removeScript, type ScriptKey, scriptAbsence } from "../script/index.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/** Deletes a script and takes it out of all flows. Throws the Fault `action.not_found`. */
export async function deleteScript(deps: { readonly database: Database }, call: Call, key: ScriptKey): Promise<void> {
  await deps.database.change(call, async (tx) => {
    // First, so that no flow can add the script from here on.
    await holdOrganization(tx, key.organizationId, "alone");
    const script = await holdScript(tx, key);
    authorize(call, script, { permission: "org.action.delete", ...scriptAbsence });
    await refuseLeftToInstance(tx, key.organizationId, "org.action.delete");
    await removeScript(tx, script);
  });
}
