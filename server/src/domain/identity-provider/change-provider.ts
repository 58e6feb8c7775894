import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../database/index.ts";
import { authorizeWriting } from "./authorize-providers.ts";
import { holdIdentityProvider, putIdentityProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { ProviderKind } from "./provider-kinds.ts";
import { type ProviderChange, providerAbsent, recordProviderEvent } from "./record-provider.ts";

/** A provider as the caller names it: of an organization, or of the instance when the organization is empty. */
export interface ProviderKey {
  readonly ownerOrganizationId: string;
  readonly identityProviderId: string;
  /** Only providers of these kinds; to the caller, providers of other kinds do not exist. */
  readonly kinds?: readonly ProviderKind[] | undefined;
}

/** Step: returns a provider that the caller may change, locked until the unit of work ends. */
export async function holdProvider(tx: Tx, key: ProviderKey): Promise<IdentityProvider> {
  await authorizeWriting(tx, key.ownerOrganizationId);
  const current = await holdIdentityProvider(tx, key);
  if (current === undefined || key.kinds?.includes(current.configuration.kind) === false) throw providerAbsent();
  return current;
}

/** Step: writes the new values of a locked provider. The current values change nothing. */
export async function changeProvider(
  tx: Tx,
  current: IdentityProvider,
  wanted: Partial<Pick<IdentityProvider, "name" | "state" | "options" | "configuration" | "sealedSecret">>,
  change: ProviderChange,
): Promise<IdentityProvider> {
  const next = { ...current, ...wanted };
  // Compared as JSON, because that is what is stored.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(current)), JSON.parse(JSON.stringify(next)))) return current;
  const { sequence } = await recordProviderEvent(tx, next, change);
  return putIdentityProvider(tx, next, sequence);
}
