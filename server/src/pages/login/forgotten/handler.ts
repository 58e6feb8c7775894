import {
  enterName,
  forgetPassword,
  isPossible,
  isResetOffered,
  organizationOf,
  readName,
  settingsOf,
} from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { forgottenPage } from "./view.ts";

export const forgottenPath = "/ui/login/forgotten";
const sentPath = `${forgottenPath}/sent`;

/**
 * `/ui/login/forgotten`: sends a code for a new password to the named user. It asks for the name where the login asks
 * for name and password together.
 */
const showForgotten: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, client, steps } = flow;
  const { loginName } = at;
  if (!(await isResetOffered(deps, visit.call, steps, at))) return seeOther(pageOf(flow, at.state));
  const action = inFlow(flow, forgottenPath);
  const changeHref = inFlow(flow, "/ui/login");
  if (await asksName(deps, flow)) {
    return show(deps, flow.visit, (context) => {
      const errors = errorsOf(deps, context, flow, ["login_name"]);
      return forgottenPage(context, { step: "name", client, loginName, errors, action, backHref: changeHref });
    });
  }
  if (!isPossible("forget_password", at.state)) return seeOther(pageOf(flow, at.state));
  return show(deps, flow.visit, (context) =>
    forgottenPage(context, { step: "ask", client, loginName, changeHref, action }),
  );
};

const takeForgotten: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { steps } = flow;
  const isNamedHere = await asksName(deps, flow);
  const loginName = (form.get("login_name") ?? "").trim();
  const at = isNamedHere
    ? await enterName(deps, visit.call, steps, await readName(deps, visit.call, steps, loginName))
    : flow.at;
  if (!isPossible("forget_password", at.state)) {
    return seeOther(isNamedHere ? inFlow(flow, forgottenPath) : pageOf(flow, at.state));
  }
  await forgetPassword(deps, visit.call, steps, at);
  return seeOther(inFlow(flow, sentPath));
};

/** Whether the name is still missing because the login asks for the password on the same page. */
async function asksName(deps: PageDeps, { at, steps, visit }: Flow): Promise<boolean> {
  if (at.state !== "unnamed") return false;
  const { layout } = await settingsOf(deps, visit.call, organizationOf(steps));
  return layout === "combined";
}

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
