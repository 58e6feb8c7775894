import { findIdentityProvider } from "../../../domain/identity-provider/index.ts";
import { findWantedLink } from "../../../domain/identity-provider-intent/index.ts";
import { enterName, listFittingSessions } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Href } from "../../html/index.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { loginNamePage } from "../views/login-name.ts";
import { listAccounts } from "./accounts.ts";
import { findNameSuffix } from "./find-look.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf, pageOfSignedIn } from "./flow.ts";
import { offeredProviders } from "./offered-providers.ts";
import { findPlace } from "./register.ts";

/** `/ui/login`: who are you? Whoever is signed in already is asked only whether to go on, unless he wants another account. */
export const showLoginName: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, client, steps } = flow;
  if (at.state === "unnamed" && at.problem === undefined && visit.query.get("account") !== "other") {
    const fitting = wantsNewcomer(flow) ? [] : await listFittingSessions(deps, flow.visit.call, steps);
    if (fitting.length > 0) return seeOther(pageOfFitting(flow, fitting.length));
  }
  const loginName = at.loginName === "" ? await suggestName(deps, flow) : at.loginName;
  const place = await findPlace(deps, flow);
  const offered = await offeredProviders(deps, flow);
  const { organizationId } = steps.authRequest?.parameters ?? {};
  const { instanceId } = flow.visit.call;
  const suffix = await findNameSuffix(deps, { instanceId, loginName, ...(organizationId && { organizationId }) });
  const linking = await findLinking(deps, flow);
  return show(deps, flow.visit, (context) =>
    loginNamePage(context, {
      action: inFlow(flow, "/ui/login"),
      client,
      loginName,
      suffix,
      registerHref: place && inFlow(flow, "/ui/login/register"),
      providers: offered.map(({ identityProviderId: id, name }) => ({ id, name })),
      providerAction: inFlow(flow, "/ui/login/provider"),
      linking,
      errors: errorsOf(deps, context, flow, ["login_name"]),
    }),
  );
};

export const takeLoginName: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const next = await enterName(deps, visit.call, flow.steps, (form.get("login_name") ?? "").trim());
  return seeOther(pageOf(flow, next.state));
};

/** The name that the application hints at; else that of the only account of this browser that the request could be answered with. */
async function suggestName(deps: PageDeps, flow: Flow): Promise<string> {
  const { authRequest } = flow.steps;
  if (authRequest === undefined) return "";
  if (authRequest.parameters.loginHint !== undefined) return authRequest.parameters.loginHint;
  if (wantsNewcomer(flow) || flow.visit.query.get("account") === "other") return "";
  const accounts = await listAccounts(deps, flow);
  const [only] = accounts.length === 1 ? accounts : [];
  return only?.loginName ?? "";
}

/** The account at a provider that the person signs in for, to have it linked. */
async function findLinking(deps: PageDeps, { visit, steps, authRequestId }: Flow) {
  const { instanceId, now } = visit.call;
  const { read } = deps.database;
  const intent = await findWantedLink(read, instanceId, { browserHash: steps.browserHash, authRequestId }, now);
  const provider = intent && (await findIdentityProvider(read, instanceId, intent.identityProviderId));
  return provider && { username: intent.externalUsername ?? "", providerName: provider.name };
}

const wantsNewcomer = ({ steps }: Flow): boolean => steps.authRequest?.parameters.prompt.includes("create") === true;

function pageOfFitting(flow: Flow, count: number): Href {
  const { steps, authRequestId, goal } = flow;
  if (authRequestId === undefined && (goal === undefined || count === 1)) return pageOfSignedIn(flow);
  const isChoice = count > 1 || steps.authRequest?.parameters.prompt.includes("select_account") === true;
  return inFlow(flow, isChoice ? "/ui/login/accounts" : "/ui/login/continue");
}
