import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { advanceApplication } from "./application.store.ts";
import { applicationAggregate } from "./application.ts";
import { deleteApplicationKeyRow } from "./application-key.store.ts";
import { type ApplicationReference, authorizeApplication } from "./authorize-application.ts";

/**
 * Removes a key of an application; nothing that it signed is accepted from now on. Removing an absent key succeeds
 * and returns no time.
 */
export async function deleteApplicationKey(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationReference & { readonly keyId: string },
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const application = await authorizeApplication(tx, input);
    if (!(await deleteApplicationKeyRow(tx, application.applicationId, input.keyId))) return {};
    tx.record({
      type: "application.key.removed",
      ...applicationAggregate(application),
      sequence: await advanceApplication(tx, application.applicationId),
      payload: { keyId: input.keyId },
    });
    return { deletedAt: tx.now };
  });
}
