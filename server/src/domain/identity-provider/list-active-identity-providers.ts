import type { Reader } from "../../database/index.ts";
import { readSettings, type SettingsPlace } from "../settings/index.ts";
import { listUsableProviders } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/**
 * Step: lists the providers that the login offers in an organization, or in the instance as a whole, in the order of
 * its settings. Empty when the settings forbid external sign-in. Inactive providers and those of other organizations
 * are excluded.
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

/** Step: lists the providers that settings name, in any state, in that order. Deleted providers are excluded. */
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
