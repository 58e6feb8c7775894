import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import {
  type Application,
  type ApplicationReference,
  findApplicationToDelete,
  removeApplication,
} from "../application/index.ts";
import { deleteConsentsOfClient } from "../consent/index.ts";
import { deleteDeviceAuthorizationsOfClient } from "../device-authorization/index.ts";
import { dropNoticesOfClient } from "../logout-notice/index.ts";
import { removeRegistration } from "../registration/index.ts";
import { forgetSessionClient } from "../session/index.ts";
import { revokeFamilies } from "../token/index.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/**
 * Deletes an application; everything that was issued to it is revoked. Deleting an absent one succeeds, and no
 * time is returned.
 */
export async function deleteApplication(
  deps: { readonly database: Database },
  call: Call,
  input: ApplicationReference,
): Promise<{ readonly deletedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const application = await findApplicationToDelete(tx, input);
    if (application === undefined) return {};
    await refuseLeftToInstance(tx, application.organizationId, "project.app.delete");
    await discardApplication(tx, application);
    return { deletedAt: tx.now };
  });
}

/** Step: deletes a locked application with everything that was issued to it. */
export async function discardApplication(tx: Tx, application: Application): Promise<void> {
  await revokeFamilies(tx, { clientId: application.clientId }, "client_deleted");
  await forgetSessionClient(tx, application.clientId);
  await dropNoticesOfClient(tx, application.clientId);
  await removeRegistration(tx, application.applicationId);
  await deleteDeviceAuthorizationsOfClient(tx, application.clientId);
  await deleteConsentsOfClient(tx, application.clientId);
  await removeApplication(tx, application);
}
