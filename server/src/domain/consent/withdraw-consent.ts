import type { Tx } from "../../database/index.ts";
import { deleteConsent } from "./consent.store.ts";
import { type ConsentKey, consentAggregate } from "./consent.ts";

/** Step: the person takes back what he let the application do, so that he is asked again. One that is not there is fine. */
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
