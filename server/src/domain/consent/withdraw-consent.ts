import type { Tx } from "../../database/index.ts";
import { deleteConsent } from "./consent.store.ts";
import { type ConsentKey, consentAggregate } from "./consent.ts";

/**
 * Step: withdraws the user's consent for the application, so that the user is asked again. An absent consent is
 * accepted.
 */
export async function withdrawConsent(tx: Tx, input: ConsentKey & { readonly organizationId: string }): Promise<void> {
  const { userId, clientId, organizationId } = input;
  const sequence = await deleteConsent(tx, input);
  if (sequence === undefined) return;
  tx.record({
    type: "consent.withdrawn",
    ...consentAggregate(input, organizationId),
    sequence: sequence + 1,
    payload: { userId, clientId },
  });
}
