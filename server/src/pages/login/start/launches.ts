import { listLaunchableApplications } from "../../../domain/authorization/index.ts";
import type { BrowserAccount } from "../../../domain/session/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";
import { startAt } from "../flow/start-at.ts";
import type { Launch } from "./view.ts";

/**
 * Lists the applications that the user can open from here. The link names us as issuer, and the application then starts
 * the sign-in itself (OpenID Connect Core §4).
 */
export async function listLaunches(
  deps: PageDeps,
  { call, request }: Visit,
  { userId, organizationId }: BrowserAccount["session"],
): Promise<Launch[]> {
  if (userId === undefined || organizationId === undefined) return [];
  const { read } = deps.database;
  const applications = await listLaunchableApplications(read, call.instanceId, { userId, organizationId });
  const launches = await Promise.all(
    applications.map(async ({ clientId, name }) => {
      const client = await deps.clients.find(call.instanceId, clientId);
      const to = client && startAt(client, request.instance.origin);
      return to === undefined ? [] : [{ name, href: to }];
    }),
  );
  return launches.flat();
}
