import { Fault } from "../../../base/fault.ts";
import { ended, endedProblem, type FactorAdded, isPossible, passSetUp, stay } from "../../../domain/sign-in/index.ts";
import { toHref } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler } from "../../visit/handlers.ts";
import { type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { shownNameOf } from "../flow/shown-name.ts";
import { addFactorPage } from "./view.ts";

export const setUpPath = "/ui/login/add-factor";

/**
 * Wraps a form of a user who sets up a second factor. A user who has one by now continues with it; all others are
 * redirected to their current page.
 */
export const setsUp =
  (take: (deps: PageDeps, flow: Flow, form: URLSearchParams) => Promise<WebResponse>): FormHandler =>
  async (deps, visit, form) => {
    const flow = await findFlow(deps, visit);
    if (!isFlow(flow)) return flow;
    const { signIn, steps } = flow;
    if (!isPossible("set_up_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
    const passed = await passSetUp(deps, flow.visit.call, steps, signIn);
    return passed === undefined ? take(deps, flow, form) : redirectForOutcome(deps, flow, passed);
  };

/** Shows a refusal at the choice of factors; an attempt that has ended begins again. */
export async function orSay(deps: PageDeps, flow: Flow, work: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return sayAtChoice(deps, flow, error);
  }
}

export async function sayAtChoice(
  deps: PageDeps,
  flow: Flow,
  { id, values }: Pick<Fault, "id" | "values">,
): Promise<WebResponse> {
  const { visit, steps, signIn } = flow;
  const at = id === endedProblem.id ? ended : signIn;
  return redirectForOutcome(deps, flow, await stay(deps, visit.call, steps, { signIn: at, problem: { id, values } }));
}

/**
 * Redirects like `redirectForOutcome`. Recovery codes that came with the factor are shown first, because this is the
 * only time: the page leads to where the redirect would have led, and the browser has its session already.
 */
export async function redirectWithCodes(
  deps: PageDeps,
  flow: Flow,
  { outcome, recoveryCodes }: FactorAdded,
): Promise<WebResponse> {
  const response = await redirectForOutcome(deps, flow, outcome);
  const { location, "set-cookie": cookies } = response.headers;
  const next = typeof location === "string" ? toHref(location) : undefined;
  if (recoveryCodes === undefined || next === undefined) return response;
  const codes = recoveryCodes.map((code) => code.reveal());
  const common = await commonOf(deps, flow);
  const shown = await show(
    deps,
    flow.visit,
    (context) => addFactorPage(context, { ...common, step: "recovery", codes, nextHref: next }),
    { isAddressable: false, hasForm: false, isReturnOffered: false },
  );
  return { ...shown, headers: { ...shown.headers, ...(cookies !== undefined && { "set-cookie": cookies }) } };
}

/** Fields that every page of the factor's user has. */
export const commonOf = async (deps: PageDeps, flow: Flow) => ({
  client: flow.client,
  loginName: await shownNameOf(deps, flow),
  changeHref: inFlow(flow, "/ui/login", { account: "other" }),
});
