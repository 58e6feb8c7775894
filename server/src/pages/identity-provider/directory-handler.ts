import { Fault } from "../../base/fault.ts";
import { Secret } from "../../base/secret.ts";
import { mayPrepareFor } from "../../domain/administrator-access/index.ts";
import { directoryPagePath } from "../../domain/identity-provider-client/index.ts";
import {
  enterCredentials,
  findCredentialsForm,
  type IdentityIntent,
} from "../../domain/identity-provider-intent/index.ts";
import { findOrganization } from "../../domain/organization/index.ts";
import type { Html, PageContext, PageKey } from "../../html/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { directoryPage as drawDirectory } from "../login/directory/view.ts";
import { type Flow, findFlow, inFlow, isFlow } from "../login/flow/flow.ts";
import { shownProviderName } from "../login/provider-attempt/shown-provider-name.ts";
import { pathTo, show } from "../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../visit/handlers.ts";
import type { Visit } from "../visit/visit.ts";
import { answerBrowser, beginningOf, flowOf } from "./answer-browser.ts";

type OpenForm = Extract<Awaited<ReturnType<typeof findCredentialsForm>>, { readonly outcome: "open" }>;

const longestState = 200;

const stateOf = ({ query }: Visit): string => (query.get("state") ?? "").slice(0, longestState);

const keyOf = (visit: Visit) => ({
  state: stateOf(visit),
  browserHash: visit.isKnown ? visit.browser.hash : undefined,
});

/** Asks for the credentials of a directory. */
const showDirectory: PageHandler = async (deps, visit) => {
  const form = await findCredentialsForm(deps, visit.call, keyOf(visit));
  return form.outcome === "open"
    ? draw(deps, visit, form, { username: form.loginHint ?? "", errors: [] })
    : answerBrowser(deps, visit, form);
};

/** Checks them. What was entered is not stored anywhere, so a refusal is shown at once. */
const takeDirectory: FormHandler = async (deps, visit, form) => {
  const username = (form.get("username") ?? "").trim();
  const password = form.get("password") ?? "";
  const missing = [
    ...(username === "" ? [{ field: "username", words: "setup.username_missing" } as const] : []),
    ...(password === "" ? [{ field: "password", words: "password.missing" } as const] : []),
  ];
  if (missing.length > 0) return refuse(deps, visit, username, missing);
  const credentials = { username, password: new Secret(password) };
  const { origin } = visit.request.instance;
  try {
    const entered = { ...keyOf(visit), origin, credentials };
    const outcome = await enterCredentials({ ...deps, mayPrepareFor }, visit.call, entered);
    if (outcome.outcome !== "wrong") return await answerBrowser(deps, visit, outcome);
    return await refuse(deps, visit, username, [{ id: "sign_in.wrong_credentials" }]);
  } catch (error) {
    if (error instanceof Fault && error.id === "password.throttled") return refuse(deps, visit, username, [error]);
    throw error;
  }
};

/** Why the form is shown again: a field that is missing, or a fault. */
type Refusal =
  | { readonly field: "username" | "password"; readonly words: PageKey }
  | { readonly id: string; readonly values?: Fault["values"] };

async function refuse(
  deps: PageDeps,
  visit: Visit,
  username: string,
  refusals: readonly Refusal[],
): Promise<WebResponse> {
  const form = await findCredentialsForm(deps, visit.call, keyOf(visit));
  if (form.outcome !== "open") return answerBrowser(deps, visit, form);
  return draw(deps, visit, form, { username, errors: refusals });
}

async function draw(
  deps: PageDeps,
  visit: Visit,
  { intent, provider }: OpenForm,
  { username, errors }: { readonly username: string; readonly errors: readonly Refusal[] },
): Promise<WebResponse> {
  const flow = await findFlowOf(deps, visit, intent);
  if (flow !== undefined && !isFlow(flow)) return flow;
  const owner = provider.ownerOrganizationId;
  // A user links an account, or accepts an invitation, with a provider that was named before.
  const named = owner === "" || intent.linkUserId !== null ? provider.name : undefined;
  const providerName = flow === undefined ? named : await shownProviderName(deps, flow, provider);
  const organization =
    owner === "" ? undefined : await findOrganization(deps.database.read, provider.instanceId, owner);
  const isHosted = intent.browserHash !== null;
  // The languages are those of this page.
  const shown = { ...(flow?.visit ?? visit), query: visit.query };
  const drawn = (context: PageContext): Html =>
    drawDirectory(context, {
      action: pathTo(directoryPagePath, { state: stateOf(visit) }),
      client: flow?.client,
      providerName,
      organizationName: organization?.name,
      username,
      otherHref: isHosted ? beginningOf(deps, visit, intent) : undefined,
      errors: errors.map((refusal) =>
        "words" in refusal
          ? { field: refusal.field, message: context.say(refusal.words) }
          : { message: deps.texts.translate(context.language, `fault.${refusal.id}`, refusal.values) },
      ),
    });
  // An organization's words must not ask for the password of another account.
  return show(deps, shown, drawn, { isDecision: organization !== undefined });
}

/** Finds the login that an attempt belongs to; undefined for an attempt of another purpose. */
async function findFlowOf(
  deps: PageDeps,
  visit: Visit,
  intent: IdentityIntent,
): Promise<Flow | WebResponse | undefined> {
  if (intent.browserHash === null || intent.linkUserId !== null) return undefined;
  const { search } = new URL(inFlow(flowOf(intent), "/ui/login"), visit.request.instance.origin);
  return findFlow(deps, { ...visit, query: new URLSearchParams(search) });
}

/** `/idps/ldap`: the page where users enter the credentials of a directory. */
export const directoryPage: PageAt = { path: directoryPagePath, get: showDirectory, post: takeDirectory };
