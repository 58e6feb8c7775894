import type { Tx } from "../../database/index.ts";
import { holdIdentityProvider, putIdentityProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { recordProviderEvent } from "./record-provider.ts";

/**
 * Step: deactivates a provider for which others than administrators with a role answer, alone or together with them.
 * Other providers, and one that is gone, stay as they are. No administrator signs in by it, so the last one who can is
 * not locked out.
 */
export async function stopUnansweredProvider(
  tx: Tx,
  key: Pick<IdentityProvider, "ownerOrganizationId" | "identityProviderId">,
): Promise<void> {
  const current = await holdIdentityProvider(tx, key);
  if (current?.state !== "active") return;
  const isUnanswered = current.answeredBy?.every((author) => author.some((held) => "roles" in held)) === false;
  if (!isUnanswered) return;
  const next = { ...current, state: "inactive" } as const;
  const { sequence } = await recordProviderEvent(tx, next, "deactivated");
  await putIdentityProvider(tx, next, sequence);
}
