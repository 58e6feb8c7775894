import type { Call } from "../../call/index.ts";
import type { LoginSettings } from "../settings/index.ts";
import type { SignInDeps } from "./browser-visit.ts";

/** Returns the login settings of an organization, or of the instance when the organization is unknown. */
export async function settingsOf(
  deps: Pick<SignInDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
): Promise<LoginSettings> {
  return (await deps.settings.get("login", { instanceId, organizationId })).settings;
}
