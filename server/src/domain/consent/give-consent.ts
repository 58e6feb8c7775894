import type { Tx } from "../../database/index.ts";
import { holdConsent, putConsent } from "./consent.store.ts";
import { type ConsentKey, consentAggregate } from "./consent.ts";

/** Step: the person lets the application do this much, beside what he let it do before. Nothing new is no event. */
export async function giveConsent(
  tx: Tx,
  input: ConsentKey & { readonly organizationId: string; readonly scopes: readonly string[] },
): Promise<void> {
  const { userId, clientId, organizationId } = input;
  const before = (await holdConsent(tx, input))?.scopes ?? [];
  const scopes = [...new Set([...before, ...input.scopes])].toSorted();
  if (scopes.length === before.length) return;
  const sequence = await putConsent(tx, input, scopes);
  tx.record({
    type: "consent.given",
    ...consentAggregate(input, organizationId),
    sequence,
    payload: { userId, clientId, scopes },
  });
}
