import { createHash } from "node:crypto";
import type { Tx } from "../../database/index.ts";
import { type Script, scriptAggregate } from "./script.ts";

/**
 * Step: records the state of a script. Of its text only the digest, which shows whether it changed: scripts contain
 * keys for other servers, although they should not.
 */
export function recordScript(tx: Tx, script: Script, type: "action.created" | "action.updated"): void {
  const { name, timeout, isAllowedToFail, details } = script;
  const scriptDigest = createHash("sha256").update(script.script).digest("base64url");
  tx.record({
    type,
    ...scriptAggregate(script),
    sequence: details.sequence,
    payload: { name, timeout, isAllowedToFail, scriptDigest },
  });
}
