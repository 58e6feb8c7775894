import { forgetPassword, isPossible, isResetOffered } from "../../../domain/sign-in/index.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { forgottenPage } from "../views/forgotten.ts";
import { findFlow, inFlow, isFlow, pageOf } from "./flow.ts";

export const forgottenPath = "/ui/login/forgotten";
const sentPath = `${forgottenPath}/sent`;

/** `/ui/login/forgotten`: a code for a new password goes to whoever was named. */
const showForgotten: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, client, steps } = flow;
  if (!isPossible("forget_password", at.state) || !(await isResetOffered(deps, visit.call, steps, at))) {
    return seeOther(pageOf(flow, at.state));
  }
  const { loginName } = at;
  const changeHref = inFlow(flow, "/ui/login");
  return show(deps, flow.visit, (context) =>
    forgottenPage(context, { step: "ask", client, loginName, changeHref, action: inFlow(flow, forgottenPath) }),
  );
};

const takeForgotten: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, steps } = flow;
  if (!isPossible("forget_password", at.state)) return seeOther(pageOf(flow, at.state));
  await forgetPassword(deps, visit.call, steps, at);
  return seeOther(inFlow(flow, sentPath));
};

const showSent: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at } = flow;
  if (!isPossible("forget_password", at.state)) return seeOther(pageOf(flow, at.state));
  const { loginName } = at;
  const hrefs = { changeHref: inFlow(flow, "/ui/login"), backHref: pageOf(flow, at.state) };
  return show(deps, flow.visit, (context) => forgottenPage(context, { step: "sent", loginName, ...hrefs }), {
    hasForm: false,
  });
};

export const forgottenPages: readonly PageAt[] = [
  { path: forgottenPath, get: showForgotten, post: takeForgotten },
  { path: sentPath, get: showSent },
];
