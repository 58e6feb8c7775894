import type { Call } from "../../../call/index.ts";
import { enterPassword, isPossible, replacePassword } from "../../../domain/sign-in/index.ts";
import { findUserScope } from "../../../domain/user/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { errorsOf, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { shownNameOf } from "../flow/shown-name.ts";
import type { PasswordRules } from "../parts/new-password.ts";
import { findResubmittedFlow } from "../password/handler.ts";
import { passwordChangePage } from "./view.ts";

const fields = ["current_password", "new_password", "new_password_repeated"] as const;

/** `/ui/login/password-change`: replaces a correct password that must be changed. */
export const showPasswordChange: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client } = flow;
  if (!isPossible("replace_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const user = await findUserScope(deps.database.read, visit.call.instanceId, signIn.userId ?? "");
  const rules = await passwordRules(deps, visit.call, user?.organizationId);
  const shownName = await shownNameOf(deps, flow);
  return show(deps, flow.visit, (context) =>
    passwordChangePage(context, {
      action: inFlow(flow, "/ui/login/password-change"),
      client,
      loginName: signIn.loginName,
      shownName,
      changeHref: inFlow(flow, "/ui/login"),
      reason: signIn.state === "change_expired" ? "expired" : "temporary",
      rules,
      errors: errorsOf(deps, context, flow, fields),
    }),
  );
};

export const takePasswordChange: FormHandler = async (deps, visit, form) => {
  const wanted = form.get("new_password") ?? "";
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) {
    const former = await findResubmittedFlow(deps, visit);
    if (former === undefined) return flow;
    return redirectForOutcome(
      deps,
      former,
      await enterPassword(deps, visit.call, former.steps, { signIn: former.signIn, password: wanted }),
    );
  }
  const { signIn, steps } = flow;
  if (!isPossible("replace_password", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const current = form.get("current_password") ?? "";
  const repeated = form.get("new_password_repeated") ?? undefined;
  return redirectForOutcome(
    deps,
    flow,
    await replacePassword(deps, visit.call, steps, { signIn, current, wanted, repeated }),
  );
};

/** Returns the requirements of an organization, or of the instance, for a new password. */
export async function passwordRules(
  deps: Pick<PageDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
): Promise<PasswordRules> {
  const { settings } = await deps.settings.get("password_complexity", { instanceId, organizationId });
  return {
    minimumLength: settings.minLength,
    upperCase: settings.requiresUppercase,
    lowerCase: settings.requiresLowercase,
    number: settings.requiresNumber,
    symbol: settings.requiresSymbol,
  };
}
