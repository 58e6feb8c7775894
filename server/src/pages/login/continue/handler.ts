import { listBrowserAccounts } from "../../../domain/session/index.ts";
import { continueSession, listFittingSessions } from "../../../domain/sign-in/index.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { findFlow, inFlow, isFlow, whereNext } from "../flow/flow.ts";
import { continuePage } from "./view.ts";

/** `/ui/login/continue`: the user is already signed in, in another tab or earlier; one press continues. */
export const showContinue: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { client, steps } = flow;
  const fitting = await listFittingSessions(deps, visit.call, steps);
  const wanted = fitting.find((session) => session.sessionId === visit.query.get("session")) ?? fitting[0];
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, visit.browser.hash);
  const account = accounts.find(({ session }) => session.sessionId === wanted?.sessionId);
  if (client === undefined || account === undefined) return seeOther(inFlow(flow, "/ui/login"));
  const { sessionId } = account.session;
  return show(deps, flow.visit, (context) =>
    continuePage(context, {
      action: inFlow(flow, "/ui/login/continue", { session: sessionId }),
      client,
      account,
      otherAccountHref: inFlow(flow, "/ui/login/accounts"),
    }),
  );
};

export const takeContinue: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const sessionId = visit.query.get("session") ?? "";
  if (!(await continueSession(deps, visit.call, flow.steps, sessionId))) return seeOther(inFlow(flow, "/ui/login"));
  return seeOther(await whereNext(deps, flow, undefined));
};
