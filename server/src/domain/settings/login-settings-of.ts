import type { LoginSettings } from "./documents/login-settings.ts";
import type { SettingsReader, SettingsScope } from "./settings-reader.ts";

/**
 * Returns the login settings of an organization, otherwise those of the instance; as they hold for the user, where the
 * scope names one.
 */
export async function loginSettingsOf(
  deps: { readonly settings: SettingsReader },
  { instanceId }: { readonly instanceId: string },
  { organizationId, userId }: Omit<SettingsScope, "instanceId">,
): Promise<LoginSettings> {
  return (await deps.settings.get("login", { instanceId, organizationId, userId })).settings;
}
