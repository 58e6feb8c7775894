import type { SetupStep } from "../../api/index.ts";
import type { SetupSession } from "../../domain/setup-link/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { seeOther } from "../visit/answer.ts";
import type { Visit } from "../visit/visit.ts";
import { drawTasks } from "./draw-tasks.ts";
import type { TaskProblem } from "./tasks-view.ts";
import { perform, tasksPath, withSession } from "./with-session.ts";

/** Makes a change, and leads back to the page; or shows there why it was refused, with what was entered. */
export const change = (
  deps: PageDeps,
  visit: Visit,
  choose: (session: SetupSession) => SetupStep | undefined,
  problem: Omit<TaskProblem, "message">,
): Promise<WebResponse> =>
  withSession(deps, visit, async (session) => {
    const refusal = await perform(deps, visit, choose);
    if (refusal === undefined) return seeOther(tasksPath);
    return drawTasks(deps, visit, session, { problem: { ...problem, message: refusal.message } });
  });
