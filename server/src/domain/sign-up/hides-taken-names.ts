import type { Call } from "../../call/index.ts";
import type { SettingsReader } from "../settings/index.ts";

/**
 * Returns whether accounts are created in an organization without revealing whether an address has one already (ASVS
 * 6.3.8): where unknown names are not revealed either. A name is unique in the whole instance, so an organization does
 * not reveal what the instance hides.
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
