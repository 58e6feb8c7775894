import { readScopes, scopeValues } from "../../../authority/index.ts";
import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { findIdentityProvider, type ProviderSummary } from "../../../domain/identity-provider/index.ts";
import { findWantedLink } from "../../../domain/identity-provider-intent/index.ts";
import { findUserByLoginName } from "../../../domain/login-name/index.ts";
import { type LoginSettings, loginSettingsOf } from "../../../domain/settings/index.ts";
import {
  beginStepUp,
  endedProblem,
  enterName,
  enterPassword,
  findScopeOfName,
  listEligibleAccounts,
  listFittingSessions,
  listStepUpSessions,
  organizationOf,
  readName,
  stay,
  unnamed,
} from "../../../domain/sign-in/index.ts";
import type { Href } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { findNameSuffix } from "../flow/find-look.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf, pageOfSignedIn } from "../flow/flow.ts";
import { forgottenPath } from "../flow/forgotten-path.ts";
import { mayGoStraight } from "../flow/may-go-straight.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { offeredPasskey } from "../key/handler.ts";
import type { ExternalAccountView } from "../parts/external-account.ts";
import { answerResubmittedPassword } from "../password/handler.ts";
import { sendToProvider } from "../provider/handler.ts";
import { lastProvider } from "../provider-attempt/last-provider.ts";
import { offeredProviders } from "../provider-attempt/offered-providers.ts";
import { shownExternalAccount, shownProviderName } from "../provider-attempt/shown-provider-name.ts";
import { organizationOfSignUp } from "../register/register-form.ts";
import { pageOfStepUp } from "../second-factor/handler.ts";
import { loginNamePage } from "./view.ts";

/**
 * `/ui/login`: asks for the username. A signed-in user is only asked whether to continue, unless they want another
 * account.
 */
export const showLoginName: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client, steps } = flow;
  const isOther = visit.query.get("account") === "other";
  // That a former attempt has ended does not concern a user who is signed in by now.
  const isAtRest = signIn.problem === undefined || signIn.problem.id === endedProblem.id;
  if (signIn.state === "unnamed" && isAtRest && !isOther) {
    const fitting = wantsNewcomer(flow) ? [] : await listFittingSessions(deps, flow.visit.call, steps);
    if (fitting.length > 0) return seeOther(pageOfFitting(flow, fitting.length));
    const steppable = wantsNewcomer(flow) ? [] : await listStepUpSessions(deps, flow.visit.call, steps);
    const [only, ...others] = steppable;
    if (others.length > 0) return seeOther(inFlow(flow, "/ui/login/accounts"));
    if (only !== undefined && (await beginStepUp(deps, flow.visit.call, steps, only.sessionId))) {
      return seeOther(await pageOfStepUp(deps, flow));
    }
  }
  const loginName = signIn.loginName === "" ? await suggestName(deps, flow) : signIn.loginName;
  const organization = await organizationOfSignUp(deps, flow);
  const offered = await offeredProviders(deps, flow);
  const { organizationId } = steps.authRequest?.parameters ?? {};
  const { instanceId } = flow.visit.call;
  const suffix = await findNameSuffix(deps, { instanceId, loginName, ...(organizationId && { organizationId }) });
  const linking = await findLinking(deps, flow);
  const settings = await loginSettingsOf(deps, flow.visit.call, { organizationId: organizationOf(steps) });
  const isAtStart = signIn.state === "unnamed" && signIn.problem === undefined && !isOther && linking === undefined;
  const straight = isAtStart ? findStraight(deps, flow, offered, settings) : undefined;
  if (straight !== undefined && (await mayGoStraight(deps, flow, straight, undefined))) {
    return sendToProvider(deps, flow, straight.identityProviderId);
  }
  const last = lastProvider(visit.request);
  const providers = await Promise.all(
    offered.map(async (provider) => {
      const { identityProviderId: id } = provider;
      const name = await shownProviderName(deps, flow, provider);
      const kind = name === undefined ? undefined : provider.kind;
      return { id, name, kind, isLast: id === last };
    }),
  );
  // On this page the user is not yet determined, whatever name was tried before.
  const passkey = await offeredPasskey(deps, flow, { any: "1" });
  const asksBoth = asksPasswordToo(settings);
  const password = asksBoth
    ? { forgotHref: settings.hidePasswordReset ? undefined : inFlow(flow, forgottenPath) }
    : undefined;
  return show(deps, flow.visit, (context) =>
    loginNamePage(context, {
      action: inFlow(flow, "/ui/login"),
      client,
      loginName,
      suffix,
      password,
      registerHref: organization && inFlow(flow, "/ui/login/register"),
      hasForm: settings.allowLocalAuthentication || settings.allowDomainDiscovery || linking !== undefined,
      providers,
      passkey,
      providerAction: inFlow(flow, "/ui/login/provider"),
      linking,
      errors: errorsOf(deps, context, flow, asksBoth ? ["login_name", "password"] : ["login_name"]),
    }),
  );
};

export const takeLoginName: FormHandler = async (deps, visit, form) => {
  const password = form.get("password") ?? "";
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return (password !== "" && (await answerResubmittedPassword(deps, visit, password))) || flow;
  const { call } = flow.visit;
  const loginName = (form.get("login_name") ?? "").trim();
  const name = await readName(deps, call, flow.steps, loginName);
  const entered = withOrganization(flow, name.discoveredOrganizationId);
  const next = await enterName(deps, call, entered.steps, name);
  const scope = await findScopeOfName(deps, call, entered.steps, { signIn: next, name });
  const { organizationId, userOrganizationId, isLocalAllowed, isUnknownRevealed } = scope;
  const scoped = withOrganization(entered, organizationId);
  const hasOrganization = scoped.organizationId !== undefined;
  const isElsewhere = !isLocalAllowed || (isUnknownRevealed && hasOrganization);
  const [only, ...others] = isElsewhere ? await offeredProviders(deps, scoped) : [];
  if (only !== undefined && others.length === 0) {
    const organizationOfName = name.discoveredOrganizationId ?? userOrganizationId;
    if (await mayGoStraight(deps, scoped, only, organizationOfName))
      return sendToProvider(deps, scoped, only.identityProviderId, loginName);
  }
  if (isLocalAllowed && next.state === "identified" && password !== "" && (await takesPassword(deps, flow))) {
    const outcome = await enterPassword(deps, call, flow.steps, { signIn: next, password });
    // A user who is not signed in remains on this page, where both fields can be corrected.
    const isSame = outcome.outcome === "next" && outcome.browser === undefined;
    return isSame ? seeOther(inFlow(flow, "/ui/login")) : redirectForOutcome(deps, flow, outcome);
  }
  if (isLocalAllowed || loginName === "") {
    // Later pages concern the user; only the first one offers what an organization has.
    return seeOther(pageOf(next.state === "unnamed" ? scoped : flow, next.state));
  }
  const problem = { id: "sign_in.local_not_allowed" };
  await stay(deps, call, scoped.steps, { signIn: { ...unnamed, loginName }, problem });
  return seeOther(pageOf(scoped, "unnamed"));
};

/** Returns the login in the discovered organization; unchanged where the request names one. */
const withOrganization = (flow: Flow, organizationId: string | undefined): Flow =>
  organizationId === undefined || flow.steps.authRequest?.parameters.organizationId !== undefined
    ? flow
    : { ...flow, organizationId, steps: { ...flow.steps, organizationId } };

/** Whether the first page asks for the password as well. An empty one continues as if only the name had been asked. */
const asksPasswordToo = ({ allowLocalAuthentication, layout }: LoginSettings): boolean =>
  allowLocalAuthentication && layout === "combined";

const takesPassword = async (deps: PageDeps, { visit, steps }: Flow): Promise<boolean> =>
  asksPasswordToo(await loginSettingsOf(deps, visit.call, { organizationId: organizationOf(steps) }));

/**
 * Returns the provider that needs no choice: the one that the application names (scope `…:org:idp:id:`), or the only
 * sign-in method.
 */
function findStraight(
  { namespaceAliases }: PageDeps,
  { steps }: Flow,
  offered: readonly ProviderSummary[],
  { allowLocalAuthentication }: LoginSettings,
): ProviderSummary | undefined {
  const scopes = readScopes(steps.authRequest?.parameters.scope ?? "", namespaceAliases);
  const [named, ...further] = scopeValues(scopes, "org:idp:id:");
  const wanted = offered.find((each) => each.identityProviderId === named);
  if (wanted !== undefined && further.length === 0) return wanted;
  const [only] = offered.length === 1 ? offered : [];
  return allowLocalAuthentication ? undefined : only;
}

/**
 * Returns the name in the application's hint; otherwise that of this browser's only account that can answer the
 * request.
 */
async function suggestName(deps: PageDeps, flow: Flow): Promise<string> {
  const { authRequest } = flow.steps;
  if (authRequest === undefined) return "";
  if (authRequest.parameters.loginHint !== undefined) return authRequest.parameters.loginHint;
  if (wantsNewcomer(flow) || flow.visit.query.get("account") === "other") return "";
  const accounts = await listEligibleAccounts(deps, flow.visit.call, flow.steps);
  const [only] = accounts.length === 1 ? accounts : [];
  if (only === undefined) return "";
  // The name as users know it, unless it identifies another user by now.
  const shown = shownLoginName(only.loginName);
  const { organizationId } = authRequest.parameters;
  const found = await findUserByLoginName(deps.database.read, flow.visit.call.instanceId, shown, { organizationId });
  return found !== undefined && found.userId === only.session.userId ? shown : only.loginName;
}

/** Returns the account at a provider that the user signs in to link. */
async function findLinking(deps: PageDeps, flow: Flow): Promise<ExternalAccountView | undefined> {
  const { visit, steps, authRequestId } = flow;
  const { instanceId, now } = visit.call;
  const { read } = deps.database;
  const intent = await findWantedLink(read, instanceId, { browserHash: steps.browserHash, authRequestId }, now);
  const provider = intent && (await findIdentityProvider(read, instanceId, intent.identityProviderId));
  return provider && shownExternalAccount(deps, flow, provider, { username: intent.externalUsername ?? "" });
}

const wantsNewcomer = ({ steps }: Flow): boolean => steps.authRequest?.parameters.prompt.includes("create") === true;

function pageOfFitting(flow: Flow, count: number): Href {
  const { steps, authRequestId, goal } = flow;
  if (authRequestId === undefined && (goal === undefined || count === 1)) return pageOfSignedIn(flow);
  const isChoice = count > 1 || steps.authRequest?.parameters.prompt.includes("select_account") === true;
  return inFlow(flow, isChoice ? "/ui/login/accounts" : "/ui/login/continue");
}
