import { resetPause } from "../../../domain/password/index.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import {
  checkResetCode,
  enterName,
  forgetPassword,
  isPossible,
  isResetOffered,
  organizationOf,
  readName,
} from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { forgottenPath } from "../flow/forgotten-path.ts";
import { resendWait } from "../flow/resend-wait.ts";
import { shownNameOf } from "../flow/shown-name.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { drawPasswordCode } from "../password-code/show-password-code.ts";
import { forgottenPage } from "./view.ts";

const sentPath = `${forgottenPath}/sent`;

/**
 * `/ui/login/forgotten`: sends a code for a new password to the named user. It asks for the name where the login asks
 * for name and password together.
 */
const showForgotten: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client, steps } = flow;
  const { loginName } = signIn;
  if (!(await isResetOffered(deps, visit.call, steps, signIn))) return seeOther(pageOf(flow, signIn.state));
  const action = inFlow(flow, forgottenPath);
  const changeHref = inFlow(flow, "/ui/login");
  if (await asksName(deps, flow)) {
    return show(deps, flow.visit, (context) => {
      const errors = errorsOf(deps, context, flow, ["login_name"]);
      return forgottenPage(context, { step: "name", client, loginName, errors, action, backHref: changeHref });
    });
  }
  if (!isPossible("forget_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const shown = await shownNameOf(deps, flow);
  return show(deps, flow.visit, (context) =>
    forgottenPage(context, { step: "ask", client, loginName: shown, changeHref, action }),
  );
};

const takeForgotten: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { steps } = flow;
  const isNamedHere = await asksName(deps, flow);
  const loginName = (form.get("login_name") ?? "").trim();
  const signIn = isNamedHere
    ? await enterName(deps, visit.call, steps, await readName(deps, visit.call, steps, loginName))
    : flow.signIn;
  if (!isPossible("forget_password", signIn.state)) {
    return seeOther(isNamedHere ? inFlow(flow, forgottenPath) : pageOf(flow, signIn.state));
  }
  await forgetPassword(deps, visit.call, steps, signIn);
  return seeOther(inFlow(flow, sentPath, { again: String(visit.call.now) }));
};

/** Whether the name is still missing because the login asks for the password on the same page. */
async function asksName(deps: PageDeps, { signIn, steps, visit }: Flow): Promise<boolean> {
  if (signIn.state !== "unnamed") return false;
  const { layout } = await loginSettingsOf(deps, visit.call, { organizationId: organizationOf(steps) });
  return layout === "combined";
}

const showSent: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn } = flow;
  if (!isPossible("forget_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  return drawSent(deps, flow, { code: "", isWrong: false });
};

/**
 * The code of the message leads on as its link does: to the page of the new password. Every refusal is the same, as for
 * a name without a user.
 */
const takeCode: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn } = flow;
  if (!isPossible("forget_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const purpose = "password_reset";
  const code = await readTypedCode(deps, visit, purpose, form.get("code"));
  const user = await checkResetCode(deps, visit.call, { signIn, code });
  if (user === undefined) return drawSent(deps, flow, { code, isWrong: true });
  return drawPasswordCode(deps, visit, { purpose, userId: user.userId, code, problems: [] });
};

async function drawSent(
  deps: PageDeps,
  flow: Flow,
  { code, isWrong }: { readonly code: string; readonly isWrong: boolean },
): Promise<WebResponse> {
  const { signIn, visit } = flow;
  const loginName = await shownNameOf(deps, flow);
  const again = visit.query.get("again");
  const model = {
    step: "sent",
    loginName,
    code,
    // Keeps the time until another message can be requested.
    action: inFlow(flow, sentPath, again === null ? {} : { again }),
    resend: { action: inFlow(flow, forgottenPath), wait: resendWait(visit, resetPause) },
    changeHref: inFlow(flow, "/ui/login"),
    backHref: pageOf(flow, signIn.state),
  } as const;
  return show(deps, visit, (context) => {
    const message = deps.texts.translate(context.language, "fault.user.code_invalid");
    return forgottenPage(context, { ...model, errors: isWrong ? [{ field: "code", message }] : [] });
  });
}

export const forgottenPages: readonly PageAt[] = [
  { path: forgottenPath, get: showForgotten, post: takeForgotten },
  { path: sentPath, get: showSent, post: takeCode },
];
