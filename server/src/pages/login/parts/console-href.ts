import { isAdministrator } from "../../../domain/administrator-access/index.ts";
import { consolePaths } from "../../../domain/application/index.ts";
import type { BrowserAccount } from "../../../domain/session/index.ts";
import type { Href } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";

/** Returns the address of the console for a user who administers something, where there is a console. */
export async function consoleHrefFor(
  { database, loadConsole }: PageDeps,
  { call }: Visit,
  { session: { userId } }: Pick<BrowserAccount, "session">,
): Promise<Href | undefined> {
  if (userId === undefined || loadConsole?.() === undefined) return undefined;
  return (await isAdministrator(database.read, call.instanceId, userId)) ? pathTo(consolePaths.home) : undefined;
}
