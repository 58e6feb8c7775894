import type { Reader } from "../../database/index.ts";
import { type LaunchableApplication, listLaunchable } from "./launchable-application.store.ts";

/** As many as a page can reasonably show. */
const most = 60;

/**
 * Lists the applications to which the user can start a sign-in from our side (OpenID Connect Core §4). These belong to
 * projects that the user's organization owns or was lent, or in which the user has a role, if the project admits the
 * user. Ordered by name, those of the user's organization first: any other may lend it projects, and must not push them
 * off the page.
 */
export function listLaunchableApplications(
  reader: Reader,
  instanceId: string,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<LaunchableApplication[]> {
  return listLaunchable(reader, instanceId, user, most);
}
