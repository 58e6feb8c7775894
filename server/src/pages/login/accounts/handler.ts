import { addressKey } from "../../../base/names/address-key.ts";
import { markAmbiguous, shownLoginName } from "../../../base/names/shown-login-name.ts";
import type { BrowserAccount } from "../../../domain/session/index.ts";
import {
  chooseSession,
  listEligibleAccounts,
  listFittingSessions,
  removeSession,
} from "../../../domain/sign-in/index.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { type Flow, findFlow, inFlow, isFlow, pageOf, whereNext } from "../flow/flow.ts";
import { pageOfStepUp } from "../second-factor/handler.ts";
import { chooseAccountPage } from "./view.ts";

/** `/ui/login/accounts`: the accounts of this browser. */
export const showAccounts: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const accounts = hintedFirst(flow, await listEligibleAccounts(deps, visit.call, flow.steps));
  if (accounts.length === 0) return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
  const fitting = await listFittingSessions(deps, visit.call, flow.steps);
  const isSignedIn = new Set(fitting.map(({ sessionId }) => sessionId));
  return show(deps, flow.visit, (context) =>
    chooseAccountPage(context, {
      client: flow.client,
      accounts: markAmbiguous(accounts).map(({ session, ...account }) => ({
        ...account,
        sessionId: session.sessionId,
        isSignedIn: isSignedIn.has(session.sessionId),
      })),
      chooseAction: inFlow(flow, "/ui/login/accounts"),
      removeAction: inFlow(flow, "/ui/login/accounts/remove"),
      otherAccountHref: inFlow(flow, "/ui/login", { account: "other" }),
    }),
  );
};

export const takeAccount: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const sessionId = form.get("session_id") ?? "";
  const chosen = await chooseSession(deps, visit.call, flow.steps, sessionId);
  switch (chosen) {
    case "continued":
      return seeOther(await whereNext(deps, flow, sessionId));
    case "stepped_up":
      return seeOther(await pageOfStepUp(deps, flow));
    case "named":
      return seeOther(pageOf(flow, "identified"));
    case "absent":
      return seeOther(inFlow(flow, "/ui/login/accounts"));
    default:
      return chosen satisfies never;
  }
};

export const takeRemoval: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  await removeSession(deps, visit.call, visit.browser.hash, form.get("session_id") ?? "");
  return seeOther(inFlow(flow, "/ui/login/accounts"));
};

/** Puts the account that the application names in `login_hint` before the others. */
function hintedFirst({ steps }: Flow, accounts: readonly BrowserAccount[]): BrowserAccount[] {
  const hint = steps.authRequest?.parameters.loginHint;
  if (hint === undefined) return [...accounts];
  const isHinted = ({ loginName }: BrowserAccount): boolean =>
    [loginName, shownLoginName(loginName)].map(addressKey).includes(addressKey(hint));
  return [...accounts.filter(isHinted), ...accounts.filter((account) => !isHinted(account))];
}
