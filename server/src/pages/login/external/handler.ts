import {
  type ExternalAttempt,
  offerChoices,
  registerExternally,
} from "../../../domain/identity-provider-sign-in/index.ts";
import { findOrganization } from "../../../domain/organization/index.ts";
import type { Problem } from "../../../domain/sign-in/index.ts";
import type { FormError, Html, PageContext } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { showOutcome } from "../external-outcome/handler.ts";
import { type Flow, type FlowAddress, findFlow, inFlow, isFlow } from "../flow/flow.ts";
import { goalNamed } from "../flow/goals.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { externalPage } from "../provider-attempt/external-address.ts";
import { findIntent, findOpenAttempt, openAttempt } from "../provider-attempt/external-attempt.ts";
import { rememberProvider } from "../provider-attempt/last-provider.ts";
import { shownExternalAccount } from "../provider-attempt/shown-provider-name.ts";
import { externalPage as drawExternal, type ExternalField, externalFields } from "./view.ts";

// The organization that the page named, in the address that its form is sent to.
const namedParameter = "named";

const toLogin = (flow: Flow): WebResponse => seeOther(inFlow(flow, "/ui/login", { account: "other" }));

/** `/ui/login/external`: the outcome of an attempt at a provider, and the choices for an unknown user. */
export const showExternal: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const found = await findIntent(deps, flow, visit.query.get("intent") ?? "");
  if (found === undefined || found.intent.state === "started") return toLogin(flow);
  const { intent } = found;
  if (intent.state === "consumed" && intent.wantsLink !== 1) return seeOther(inFlow(flow, "/ui/login"));
  const attempt = await openAttempt(deps, flow, found);
  return attempt === undefined ? showOutcome(deps, flow, found) : draw(deps, flow, attempt);
};

/** Registers the user. */
export const takeExternal: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  const intentId = visit.query.get("intent") ?? "";
  // Sent twice: the first request gave the browser another secret, with which the page shows the outcome.
  if (!isFlow(flow)) return seeOther(externalPage(askedFor(visit.query), intentId));
  const attempt = await findOpenAttempt(deps, flow, intentId);
  if (attempt === undefined) return seeOther(externalPage(flow, intentId));
  const entered = readFields(form);
  const values = { ...known(attempt), ...entered };
  const missing = externalFields.filter((name) => (values[name] ?? "") === "");
  const problems: Problem[] = missing.map((field) => ({ field, id: `setup.${field}_missing` }));
  const isWillingToAsk = problems.length > 0 && !(await isSettled(deps, flow, attempt));
  if (isWillingToAsk) return draw(deps, flow, attempt, { entered, problems });
  const newcomer = {
    givenName: values.given_name ?? "",
    familyName: values.family_name ?? "",
    email: values.email ?? "",
  };
  const agreedTo = visit.query.get(namedParameter) ?? undefined;
  const outcome = await registerExternally(deps, flow.visit.call, flow.steps, { attempt, newcomer, agreedTo });
  switch (outcome.outcome) {
    case "invalid":
      return draw(deps, flow, attempt, { entered, problems: [outcome.problem] });
    case "choice":
    case "refused":
      return seeOther(externalPage(flow, intentId));
    case "gone":
      return seeOther(externalPage(flow, intentId));
    default:
      return rememberProvider(
        await redirectForOutcome(deps, flow, outcome),
        visit.request,
        attempt.provider.identityProviderId,
      );
  }
};

const isSettled = async (deps: PageDeps, flow: Flow, attempt: ExternalAttempt): Promise<boolean> =>
  (await offerChoices(deps, flow.visit.call, flow.steps, attempt)).choices === undefined;

function askedFor(query: URLSearchParams): FlowAddress {
  return {
    authRequestId: query.get("authRequest") ?? undefined,
    deviceId: query.get("device") ?? undefined,
    goal: goalNamed(query.get("goal")),
    organizationId: query.get("organization") ?? undefined,
  };
}

type Values = Readonly<Partial<Record<ExternalField, string>>>;

/** Returns what the provider says about a new user. */
function known({ identity: { givenName, familyName, email } }: ExternalAttempt): Values {
  return {
    ...(givenName !== undefined && { given_name: givenName }),
    ...(familyName !== undefined && { family_name: familyName }),
    ...(email !== undefined && { email }),
  };
}

/** Returns the entered values; an absent input has none. */
const readFields = (form: URLSearchParams): Values =>
  Object.fromEntries(externalFields.flatMap((name) => (form.has(name) ? [[name, (form.get(name) ?? "").trim()]] : [])));

interface Filled {
  readonly entered: Values;
  readonly problems: readonly Problem[];
}

async function draw(
  deps: PageDeps,
  flow: Flow,
  attempt: ExternalAttempt,
  filled: Filled = { entered: {}, problems: [] },
): Promise<WebResponse> {
  const { visit, client } = flow;
  const { choices, problem, asksFor } = await offerChoices(deps, visit.call, flow.steps, attempt);
  const organization = asksFor && (await findOrganization(deps.database.read, visit.call.instanceId, asksFor));
  const problems = filled.problems.length > 0 || problem === undefined ? filled.problems : [problem];
  const { intentId, provider, identity } = attempt;
  const to = (path: string) => inFlow(flow, path, { intent: intentId });
  const action = "/ui/login/external";
  const registerAction =
    asksFor === undefined ? to(action) : inFlow(flow, action, { intent: intentId, [namedParameter]: asksFor });
  const isDecision = asksFor !== undefined;
  const account = await shownExternalAccount(deps, flow, provider, identity);
  const drawn = (context: PageContext): Html =>
    drawExternal(context, {
      organizationName: organization ? organization.name : asksFor,
      client,
      ...account,
      known: known(attempt),
      isEmailVerified: identity.isEmailVerified,
      values: filled.entered,
      registerAction: choices === undefined || choices.registerIn !== undefined ? registerAction : undefined,
      isKnown: choices === undefined,
      linkAction: choices?.mayLink === true ? to("/ui/login/external/existing") : undefined,
      otherHref: inFlow(flow, "/ui/login", { account: "other" }),
      errors: problems.map(({ field, id, values }): FormError<ExternalField> => {
        const name = externalFields.find((each) => each === field);
        const message = deps.texts.translate(context.language, `fault.${id}`, values);
        return { message, ...(name !== undefined && { field: name }) };
      }),
    });
  return show(deps, visit, drawn, { isDecision });
}
