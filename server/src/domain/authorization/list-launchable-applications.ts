import type { Reader } from "../../database/index.ts";
import { type LaunchableApplication, listLaunchable } from "./launchable-application.store.ts";

export type { LaunchableApplication };

/** As many as a page can show in a useful way. */
const most = 60;

/**
 * Applications to which somebody can start a sign-in from our side (OpenID Connect Core §4): those of projects that their organization owns or
 * was lent, or in which they have a role, as far as the project lets them in. In order of their names.
 */
export function listLaunchableApplications(
  reader: Reader,
  instanceId: string,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<LaunchableApplication[]> {
  return listLaunchable(reader, instanceId, user, most);
}
