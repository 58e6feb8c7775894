import type { Call } from "../../call/index.ts";
import type { SettingsReader } from "../settings/index.ts";

/**
 * Whether accounts are made in a place without telling whether an address has one already (ASVS 6.3.8): where names that nobody has are not told either.
 * A name is of nobody else in the whole instance, so no organization tells of it what the instance does not.
 */
export async function hidesTakenNames(
  { settings }: { readonly settings: SettingsReader },
  { instanceId }: Pick<Call, "instanceId">,
  organizationId: string,
): Promise<boolean> {
  const ofInstance = await settings.get("login", { instanceId });
  if (ofInstance.settings.ignoreUnknownUsernames) return true;
  return (await settings.get("login", { instanceId, organizationId })).settings.ignoreUnknownUsernames;
}
