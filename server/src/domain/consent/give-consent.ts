import type { Tx } from "../../database/index.ts";
import { holdConsent, insertConsent, updateConsent } from "./consent.store.ts";
import { type ConsentKey, consentAggregate } from "./consent.ts";

/** Step: adds scopes to the user's consent for the application. Without any new scope no event is recorded. */
export async function giveConsent(
  tx: Tx,
  input: ConsentKey & { readonly organizationId: string; readonly scopes: readonly string[] },
): Promise<void> {
  const { userId, clientId, organizationId } = input;
  for (;;) {
    const before = await holdConsent(tx, input);
    const scopes = [...new Set([...(before?.scopes ?? []), ...input.scopes])].toSorted();
    if (scopes.length === (before?.scopes.length ?? 0)) return;
    const sequence =
      before === undefined ? await insertConsent(tx, input, scopes) : await updateConsent(tx, input, scopes);
    // A row that is absent cannot be held: another request created it meanwhile, and its scopes count as well.
    if (sequence === undefined) continue;
    tx.record({
      type: "consent.given",
      ...consentAggregate(input, organizationId),
      sequence,
      payload: { userId, clientId, scopes },
    });
    return;
  }
}
