import type { Reader } from "../../database/index.ts";
import { readSettings, type SettingsScope } from "../settings/index.ts";
import { listUsableProviders } from "./identity-provider.store.ts";
import type { ProviderSummary } from "./identity-provider.ts";

/**
 * Step: lists the providers that the login offers in an organization, or in the instance as a whole, in the order of
 * its settings. Empty when the settings forbid external sign-in. Inactive providers and those of other organizations
 * are excluded.
 */
export async function listActiveIdentityProviders(
  reader: Reader,
  scope: SettingsScope,
): Promise<readonly ProviderSummary[]> {
  const { settings } = await readSettings(reader, "login", scope);
  if (!settings.allowExternalIdp) return [];
  const offered = await listOfferedProviders(reader, scope, settings.identityProviderIds);
  return offered.filter(({ state }) => state === "active");
}

/** Step: lists the providers that settings name, in any state, in that order. Deleted providers are excluded. */
export async function listOfferedProviders(
  reader: Reader,
  { instanceId, organizationId = "" }: SettingsScope,
  ids: readonly string[],
): Promise<readonly ProviderSummary[]> {
  const found = await listUsableProviders(reader, instanceId, { organizationId, ids });
  const ranks = new Map(ids.map((id, index) => [id, index]));
  const rankOf = ({ identityProviderId }: ProviderSummary): number => ranks.get(identityProviderId) ?? 0;
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}
