import type { Call } from "../../call/index.ts";
import type { LoginSettings } from "../settings/index.ts";
import type { SignInDeps } from "./browser-visit.ts";

/** Returns the login settings of an organization, or of the instance when the organization is unknown; as they hold for the user, where one is known. */
export async function settingsOf(
  deps: Pick<SignInDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
  userId?: string,
): Promise<LoginSettings> {
  return (await deps.settings.get("login", { instanceId, organizationId, userId })).settings;
}
