import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";

/** Returns whether a usable setup link exists. Without one, pages answer as if there were no setup. */
export async function isSetupOpen(deps: { readonly database: Database }, call: Call): Promise<boolean> {
  const { read } = deps.database;
  const instance = await findInstance(read, call.instanceId);
  if (instance === undefined || instance.setupCompletedAt !== null) return false;
  const subject = { kind: "setup_link", subjectId: call.instanceId } as const;
  const secret = await findOneTimeSecret(read, call.instanceId, subject);
  return secret !== undefined && secret.consumedAt === null && secret.expiresAt > call.now;
}
