import type { IdentityIntent } from "../../../domain/identity-provider-intent/index.ts";
import { refuseIntent, setWantsLink } from "../../../domain/identity-provider-intent/index.ts";
import { findProofOfUser, linkExternally } from "../../../domain/identity-provider-sign-in/index.ts";
import { type BrowserAccount, listBrowserAccounts } from "../../../domain/session/index.ts";
import { freshForChange, freshForForm } from "../../../domain/user/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { type Flow, findFlow, inFlow, isFlow, whereNext } from "../flow/flow.ts";
import { externalPage } from "../provider-attempt/external-address.ts";
import { findIntent, openAttempt } from "../provider-attempt/external-attempt.ts";
import { shownExternalAccount } from "../provider-attempt/shown-provider-name.ts";
import { externalLinkPage } from "./view.ts";

/** `/ui/login/external/existing`: the user has an account here, and signs in with it first. */
export const takeExisting: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const intentId = visit.query.get("intent") ?? "";
  const found = await findIntent(deps, flow, intentId);
  const attempt = found && (await openAttempt(deps, flow, found));
  if (attempt?.provider.options.isLinkingAllowed !== true) return seeOther(externalPage(flow, intentId));
  const key = { intentId, browserHash: flow.steps.browserHash };
  await deps.database.touch(visit.call, (tx) => setWantsLink(tx, key));
  return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
};

/** `/ui/login/external/link`: after sign-in, asks whether to link the account at the provider. */
export const showExternalLink: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const intentId = visit.query.get("intent") ?? "";
  const found = await findIntent(deps, flow, intentId);
  if (found?.intent.state !== "succeeded" || found.intent.wantsLink !== 1) {
    return seeOther(externalPage(flow, intentId));
  }
  const { intent, provider } = found;
  const account = await findProvenAccount(deps, flow, intent, freshForForm);
  if (account === undefined || provider === undefined) return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
  const external = await shownExternalAccount(deps, flow, provider, {
    username: intent.externalUsername ?? "",
    provenOrganizationId: account.session.organizationId,
  });
  return show(
    deps,
    flow.visit,
    (context) =>
      externalLinkPage(context, {
        action: inFlow(flow, "/ui/login/external/link", { intent: intentId }),
        client: flow.client,
        ...external,
        account,
        sessionId: account.session.sessionId,
      }),
    { isDecision: true },
  );
};

export const takeExternalLink: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { call } = flow.visit;
  const intentId = visit.query.get("intent") ?? "";
  const found = await findIntent(deps, flow, intentId);
  const attempt = found && (await openAttempt(deps, flow, found));
  if (attempt === undefined) return seeOther(externalPage(flow, intentId));
  if (form.get("decision") === "skip") {
    const { session } = (await findProvenAccount(deps, flow, found?.intent)) ?? {};
    await deps.database.change(call, (tx) => refuseIntent(tx, intentId, "identity_sign_in.link_declined"));
    return seeOther(await whereNext(deps, flow, session?.sessionId));
  }
  const sessionId = form.get("session_id") ?? "";
  const outcome = await linkExternally(deps, call, flow.steps, { attempt, sessionId });
  const isOpen = outcome === "unproven";
  return seeOther(isOpen ? linkPage(flow, intentId) : externalPage(flow, intentId));
};

const linkPage = (flow: Flow, intent: string) => inFlow(flow, "/ui/login/external/link", { intent });

/** Finds the account that signed in for the attempt, as pages show it. */
export async function findProvenAccount(
  deps: PageDeps,
  { visit, steps }: Flow,
  intent: IdentityIntent | undefined,
  maxAge: number = freshForChange,
): Promise<BrowserAccount | undefined> {
  const session = intent && (await findProofOfUser(deps, visit.call, steps, { intent, maxAge }));
  if (session === undefined) return undefined;
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, steps.browserHash);
  return accounts.find((account) => account.session.sessionId === session.sessionId);
}
