import type { Tx } from "../../database/index.ts";
import { deleteApplicationRow } from "./application.store.ts";
import { type Application, applicationAggregate } from "./application.ts";

/** Step: deletes a held application with its keys. What was issued to it must be revoked by the caller (`deletion`). */
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
