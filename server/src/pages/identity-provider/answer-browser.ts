import type { AnswerOutcome, IdentityIntent } from "../../domain/identity-provider-intent/index.ts";
import type { Href } from "../../html/index.ts";
import type { WebResponse } from "../../web/index.ts";
import { goOnLinking } from "../account/link/answer-handler.ts";
import { linkAnswerPage } from "../account/link/link-address.ts";
import type { PageDeps } from "../deps.ts";
import type { PageError } from "../error/view.ts";
import { type FlowAddress, inFlow } from "../login/flow/flow.ts";
import { goalNamed } from "../login/flow/goals.ts";
import { goOnInviting, isOfInvitation } from "../login/invitation/provider-handler.ts";
import { invitationPath, invitationProviderPage } from "../login/password-code/invitation-address.ts";
import { goOn } from "../login/provider/provider-answer.ts";
import { externalPage } from "../login/provider-attempt/external-address.ts";
import { pathTo, seeOther } from "../visit/answer.ts";
import { showError } from "../visit/show-error.ts";
import type { Visit } from "../visit/visit.ts";

/** Answers a browser once its provider has: by the purpose of the attempt. */
export function answerBrowser(
  deps: PageDeps,
  visit: Visit,
  outcome: AnswerOutcome,
): Promise<WebResponse> | WebResponse {
  if (outcome.outcome === "stale") return explainStale(deps, visit, outcome);
  const { intent } = outcome;
  if (isOfInvitation(deps, visit, intent)) return goOnInviting(deps, visit, outcome);
  if (intent.linkUserId !== null) return goOnLinking(deps, visit, outcome);
  return intent.browserHash === null ? tellApplication(deps, visit, outcome) : goOn(deps, visit, outcome);
}

type Known = Exclude<AnswerOutcome, { outcome: "stale" }>;
type Stale = Extract<AnswerOutcome, { outcome: "stale" }>;

/** Returns the login that an attempt belongs to. */
export function flowOf({ authRequestId, deviceAuthorizationId, goal, organizationId }: IdentityIntent): FlowAddress {
  return {
    authRequestId: authRequestId ?? undefined,
    deviceId: deviceAuthorizationId ?? undefined,
    goal: goalNamed(goal),
    organizationId: organizationId ?? undefined,
  };
}

const staleErrors = {
  unknown: "request_expired",
  used: "external_used",
  too_old: "external_too_old",
  other_browser: "external_other_browser",
} as const satisfies Record<Stale["why"], PageError>;

/**
 * Handles an answer that is not accepted: redirects to the attempt's page, or explains what happened and how to
 * continue.
 */
function explainStale(deps: PageDeps, visit: Visit, { why, intent }: Stale): Promise<WebResponse> | WebResponse {
  const isHosted = intent !== undefined && intent.browserHash !== null;
  if (!isHosted) return showError(deps, visit, { error: "request_expired" });
  const at = flowOf(intent);
  const { intentId } = intent;
  const isInvited = isOfInvitation(deps, visit, intent);
  const isLink = intent.linkUserId !== null && !isInvited;
  // Reloaded, or sent twice.
  const isHere = intent.browserHash === visit.browser.hash && why === "used";
  if (isHere && isInvited) return seeOther(invitationProviderPage(intentId));
  if (isHere) return seeOther(isLink ? linkAnswerPage(intentId) : externalPage(at, intentId));
  const isElsewhere = why === "other_browser";
  const button = isElsewhere ? undefined : ({ to: "restart", href: beginningOf(deps, visit, intent) } as const);
  return showError(deps, visit, { error: staleErrors[why], button }, isLink ? "account" : "login");
}

/** Returns the page where an attempt of our own pages can be begun again. */
export function beginningOf(deps: PageDeps, visit: Visit, intent: IdentityIntent): Href {
  const { linkUserId } = intent;
  if (linkUserId === null) return inFlow(flowOf(intent), "/ui/login", { account: "other" });
  return isOfInvitation(deps, visit, intent)
    ? pathTo(invitationPath, { user: linkUserId })
    : pathTo("/ui/account/methods");
}

/** Sends the browser back to the application that started the attempt. */
function tellApplication(deps: PageDeps, visit: Visit, outcome: Known): Promise<WebResponse> | WebResponse {
  const { intentId: id, successUrl, failureUrl } = outcome.intent;
  if (outcome.outcome === "succeeded") {
    if (successUrl === null) return showError(deps, visit, { error: "request_invalid" });
    const user = outcome.userId === undefined ? {} : { user: outcome.userId };
    return seeOther(withParameters(successUrl, { id, token: outcome.token.reveal(), ...user }));
  }
  if (failureUrl === null) return showError(deps, visit, { error: "request_invalid" });
  const description = deps.texts.translate("en", `fault.identity_intent.${outcome.failure}`);
  const error = outcome.failure === "denied" ? "access_denied" : outcome.failure;
  return seeOther(withParameters(failureUrl, { id, error, error_description: description }));
}

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
