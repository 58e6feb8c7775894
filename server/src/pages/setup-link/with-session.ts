import type { SetupStep } from "../../api/index.ts";
import { loadSetupSession, SetupLinkEnded, type SetupSession } from "../../domain/setup-link/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, seeOther } from "../visit/answer.ts";
import type { Visit } from "../visit/visit.ts";
import { readSetupSecret } from "./cookie.ts";

export const tasksPath = pathTo("/ui/setup-link/tasks");

/** Does something for a browser that has a link open; all others are told that it is closed for them. */
export async function withSession(
  deps: PageDeps,
  visit: Visit,
  work: (session: SetupSession) => Promise<WebResponse>,
): Promise<WebResponse> {
  try {
    return await work(await loadSetupSession(deps, visit.call, readSetupSecret(visit.request)));
  } catch (error) {
    if (!(error instanceof SetupLinkEnded)) throw error;
    return seeOther(pathTo("/ui/setup-link", { state: "closed" }));
  }
}

/** Makes a change, and returns why it was refused. */
export const perform = (
  deps: PageDeps,
  visit: Visit,
  choose: (session: SetupSession) => SetupStep | undefined,
): Promise<{ readonly message: string } | undefined> =>
  deps.performSetup({ call: visit.call, secret: readSetupSecret(visit.request), choose });
