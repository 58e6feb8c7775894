import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { MetadataEntry } from "../../domain/metadata/index.ts";
import { putUserMetadata } from "../../domain/user/index.ts";
import type { ScriptLog } from "./script-log.ts";

/**
 * Sets metadata of a user as scripts asked. What is refused is logged: invalid metadata is the script's mistake, and
 * the user's request should not fail because of it. Neither should it because the user was deleted meanwhile.
 */
export async function putMetadata(
  { database, scriptLog }: { readonly database: Database; readonly scriptLog: ScriptLog },
  call: Call,
  user: { readonly userId: string; readonly organizationId: string },
  metadata: readonly MetadataEntry[],
): Promise<void> {
  if (metadata.length === 0) return;
  try {
    await database.change(call, (tx) => putUserMetadata(tx, user, metadata));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { instanceId, requestId } = call;
    const whose = { instanceId, organizationId: user.organizationId };
    scriptLog(whose, "warn", "metadata that a script set was refused", { requestId, failure: error.id });
  }
}
