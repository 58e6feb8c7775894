import type { PageHandler } from "../visit/handlers.ts";
import { drawTasks } from "./draw-tasks.ts";
import { withSession } from "./with-session.ts";

/** `/ui/setup-link/tasks`: what the link is for, and how far it is. */
export const showTasks: PageHandler = (deps, visit) =>
  withSession(deps, visit, (session) => drawTasks(deps, visit, session));
