import type { Tx } from "../../database/index.ts";
import { deleteApplicationRow } from "./application.store.ts";
import { type Application, applicationAggregate } from "./application.ts";

/** Step: deletes a locked application with its keys. The caller must revoke what was issued to it (`deletion`). */
export async function removeApplication(tx: Tx, application: Application): Promise<void> {
  const sequence = await deleteApplicationRow(tx, application.applicationId);
  if (sequence === undefined) return;
  tx.record({
    type: "application.deleted",
    ...applicationAggregate(application),
    sequence,
    payload: { projectId: application.projectId, name: application.name, clientId: application.clientId },
  });
}
