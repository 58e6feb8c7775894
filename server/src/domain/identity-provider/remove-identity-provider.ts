import type { Details, Tx } from "../../database/index.ts";
import { refuseLossOfProvider } from "../settings/index.ts";
import { holdProvider, type ProviderKey } from "./change-provider.ts";
import { deleteIdentityProviderRow } from "./identity-provider.store.ts";
import { recordProviderEvent } from "./record-provider.ts";

/**
 * Step: removes a provider with its secret, for callers who may change it. Settings that still name it no longer offer
 * it; refused for the last way that they leave. The links of users are removed in `deletion`.
 */
export async function removeIdentityProvider(tx: Tx, key: ProviderKey): Promise<Details> {
  const removed = await holdProvider(tx, key);
  await deleteIdentityProviderRow(tx, removed.identityProviderId);
  await refuseLossOfProvider(tx, removed.ownerOrganizationId);
  const { sequence } = await recordProviderEvent(tx, removed, "removed");
  return { ...removed.details, sequence, changedAt: tx.now };
}
