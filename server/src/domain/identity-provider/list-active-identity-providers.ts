import type { Reader } from "../../database/index.ts";
import { readSettings, type SettingsPlace } from "../settings/index.ts";
import { listUsableProviders } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/**
 * Step: the providers that the login offers in an organization, or in the instance as a whole, in the order of its settings. None when the
 * settings let nobody sign in by another server. Inactive ones and those of other organizations are not among them.
 */
export async function listActiveIdentityProviders(
  reader: Reader,
  place: SettingsPlace,
): Promise<readonly IdentityProvider[]> {
  const { settings } = await readSettings(reader, "login", place);
  if (!settings.allowExternalIdp) return [];
  const offered = await listOfferedProviders(reader, place, settings.identityProviderIds);
  return offered.filter(({ state }) => state === "active");
}

/** Step: the providers that settings name, whatever their state, in that order. Those that are gone are not among them. */
export async function listOfferedProviders(
  reader: Reader,
  { instanceId, organizationId = "" }: SettingsPlace,
  ids: readonly string[],
): Promise<readonly IdentityProvider[]> {
  const found = await listUsableProviders(reader, instanceId, { organizationId, ids });
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ identityProviderId }: IdentityProvider): number => places.get(identityProviderId) ?? 0;
  return found.toSorted((one, other) => placeOf(one) - placeOf(other));
}
