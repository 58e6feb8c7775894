import type { Call } from "../../call/index.ts";
import { loginSettingsOf, type SettingsReader } from "../settings/index.ts";

/**
 * Returns whether accounts are created in an organization without revealing whether an address has one already (ASVS
 * 6.3.8): where unknown names are not revealed either. A name is unique in the whole instance, so an organization does
 * not reveal what the instance hides.
 */
export async function hidesTakenNames(
  deps: { readonly settings: SettingsReader },
  call: Pick<Call, "instanceId">,
  organizationId: string,
): Promise<boolean> {
  const ofInstance = await loginSettingsOf(deps, call, {});
  return (
    ofInstance.ignoreUnknownUsernames || (await loginSettingsOf(deps, call, { organizationId })).ignoreUnknownUsernames
  );
}
