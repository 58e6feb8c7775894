import type { Random } from "../../base/random.ts";
import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { putOneTimeSecret } from "../one-time-secret/index.ts";

const lifetimeSeconds = 15 * 60;

/**
 * Returns a secret that lets its bearer create the first administrator, once and within 15 minutes; it invalidates the
 * one before. Undefined once there was an administrator: then never again, even if that one is gone.
 */
export function issueSetupLink(
  deps: { readonly database: Database; readonly random: Random },
  call: Call,
): Promise<Secret | undefined> {
  const secret = generateSecret(deps.random);
  return deps.database.touch(call, async (tx) => {
    const instance = await findInstance(tx, tx.instanceId);
    if (instance === undefined || instance.setupCompletedAt !== null) return undefined;
    await putOneTimeSecret(tx, { kind: "setup_link", subjectId: tx.instanceId, secret, bound: {}, lifetimeSeconds });
    return secret;
  });
}
