import type { Tx } from "../../database/index.ts";
import { deleteRegistrationRow } from "./registration.store.ts";
import { registrationAggregate } from "./registration.ts";

/** Step: deletes the registration of an application that is being deleted, when it has one. */
export async function removeRegistration(tx: Tx, applicationId: string): Promise<void> {
  const deleted = await deleteRegistrationRow(tx, applicationId);
  if (deleted === undefined) return;
  tx.record({
    type: "registration.deleted",
    ...registrationAggregate(deleted.registration),
    sequence: deleted.sequence,
    payload: { applicationId },
  });
}
