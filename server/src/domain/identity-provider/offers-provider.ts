import type { Reader } from "../../database/index.ts";
import { type LoginSettings, readSettings, type SettingsScope } from "../settings/index.ts";
import { findIdentityProvider, listUsableProviders } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/**
 * Step: returns whether the login offers a provider at all, by the login settings that hold in the scope:
 * they allow external sign-in and name it, it is active, and users there may use it. Whatever asks whether a provider
 * may still sign a user in, asks this. Without the settings, it reads those that are stored.
 */
export async function offersProvider(
  reader: Reader,
  scope: SettingsScope,
  identityProviderId: string,
  given?: LoginSettings,
): Promise<boolean> {
  const { instanceId, organizationId = "" } = scope;
  const settings = given ?? (await readSettings(reader, "login", scope)).settings;
  if (!settings.allowExternalIdp || !settings.identityProviderIds.includes(identityProviderId)) return false;
  const found = await listUsableProviders(reader, instanceId, { organizationId, ids: [identityProviderId] });
  return found.some(({ state }) => state === "active");
}

/** Step: finds a provider of this id that the login offers, with its whole configuration. */
export async function findOfferedProvider(
  reader: Reader,
  scope: SettingsScope,
  identityProviderId: string,
): Promise<IdentityProvider | undefined> {
  if (!(await offersProvider(reader, scope, identityProviderId))) return undefined;
  const found = await findIdentityProvider(reader, scope.instanceId, identityProviderId);
  return found?.state === "active" ? found : undefined;
}
