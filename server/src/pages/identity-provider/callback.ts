import { mayPrepareFor } from "../../domain/administrator-access/index.ts";
import {
  type AnswerOutcome,
  type IdentityIntent,
  type KeptAnswer,
  keepAnswer,
  type ProviderAnswer,
  receiveAnswer,
} from "../../domain/identity-provider-intent/index.ts";
import type { WebHandler, WebResponse, WebRoute } from "../../web/index.ts";
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
import { openVisit, type Visit } from "../visit/visit.ts";

/** Creates the addresses to which providers return browsers, and those for proxies that add a signed token. */
export const createProviderRoutes = (deps: PageDeps): WebRoute[] => [
  ...answerRoutes(deps, callback),
  ...answerRoutes(deps, `${callback}/:organizationId`),
  route("GET", "/idps/jwt", async (request) => {
    const visit = await openVisit(deps, request);
    const state = only(visit.query, "authRequestID");
    const said = { header: (name: string) => request.header(name) };
    return state === undefined ? invalid(deps, visit) : receive(deps, visit, state, said);
  }),
];

const callback = "/idps/callback";

/** Returns the routes of one callback: that of the instance's providers, or that of an organization's. */
const answerRoutes = (deps: PageDeps, path: string): WebRoute[] => [
  route("GET", path, async (request) => {
    const visit = await openVisit(deps, request);
    const { query } = visit;
    if (isStateAlone(query)) return receive(deps, visit, query.get("state") ?? "", "posted");
    const answer = readAnswer(query);
    return answer === undefined ? invalid(deps, visit) : receive(deps, visit, answer.state, answer.said);
  }),
  // OAuth 2.0 Form Post Response Mode: another site's form arrives without our cookie, and the redirected request has
  // it (SameSite=Lax).
  route("POST", path, async (request) => {
    const visit = await openVisit(deps, request);
    const type = request.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    const answer =
      type === "application/x-www-form-urlencoded" ? readAnswer(new URLSearchParams(request.body)) : undefined;
    if (answer === undefined) return invalid(deps, visit);
    await keepAnswer(deps, visit.call, answer);
    return seeOther(pathTo(request.path, { state: answer.state }));
  }),
];

const route = (method: "GET" | "POST", path: string, handler: WebHandler): WebRoute => ({
  methods: [method],
  path,
  handler,
  protocol: "page",
  rateLimit: "login",
  bodyLimit: 32 * 1024,
});

const longest = 8192;

/** Returns a parameter that occurs once: a repeated one is ambiguous (RFC 6749 §3.1). */
function only(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  return value === undefined || value === "" || value.length > longest || others.length > 0 ? undefined : value;
}

const isStateAlone = (query: URLSearchParams): boolean =>
  only(query, "state") !== undefined && ["code", "error", "iss"].every((name) => !query.has(name));

/**
 * Returns the provider's answer; undefined for an invalid one: without state, with a repeated parameter, or with
 * neither or both of code and error.
 */
function readAnswer(given: URLSearchParams): { readonly state: string; readonly said: KeptAnswer } | undefined {
  const state = only(given, "state");
  const isClear = ["code", "error", "iss"].every((name) => given.getAll(name).length <= 1);
  if (state === undefined || !isClear || given.has("code") === given.has("error")) return undefined;
  const issuer = given.get("iss") ?? undefined;
  const error = only(given, "error");
  if (error !== undefined) return { state, said: { error, issuer } };
  const code = only(given, "code");
  return code === undefined ? undefined : { state, said: { code, issuer } };
}

const invalid = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  showError(deps, visit, { error: "request_invalid" });

async function receive(
  deps: PageDeps,
  visit: Visit,
  state: string,
  said: ProviderAnswer["said"],
): Promise<WebResponse> {
  const browserHash = visit.isKnown ? visit.browser.hash : undefined;
  const { instance, path: requestPath } = visit.request;
  const path = typeof said === "object" && "header" in said ? undefined : requestPath;
  const outcome = await receiveAnswer({ ...deps, mayPrepareFor }, visit.call, {
    state,
    browserHash,
    origin: instance.origin,
    path,
    said,
  });
  if (outcome.outcome === "stale") return explainStale(deps, visit, outcome);
  const { intent } = outcome;
  if (isOfInvitation(deps, visit, intent)) return goOnInviting(deps, visit, outcome);
  if (intent.linkUserId !== null) return goOnLinking(deps, visit, outcome);
  return intent.browserHash === null ? tellApplication(deps, visit, outcome) : goOn(deps, visit, outcome);
}

type Known = Exclude<AnswerOutcome, { outcome: "stale" }>;
type Stale = Extract<AnswerOutcome, { outcome: "stale" }>;

function addressOf({ authRequestId, deviceAuthorizationId, goal, organizationId }: IdentityIntent): FlowAddress {
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
  const at = addressOf(intent);
  const { intentId } = intent;
  const isInvited = isOfInvitation(deps, visit, intent);
  const isLink = intent.linkUserId !== null && !isInvited;
  // Reloaded, or sent twice.
  const isHere = intent.browserHash === visit.browser.hash && why === "used";
  if (isHere && isInvited) return seeOther(invitationProviderPage(intentId));
  if (isHere) return seeOther(isLink ? linkAnswerPage(intentId) : externalPage(at, intentId));
  const isElsewhere = why === "other_browser";
  const invitation = isInvited ? pathTo(invitationPath, { user: intent.linkUserId ?? undefined }) : undefined;
  const start = invitation ?? (isLink ? pathTo("/ui/account/methods") : inFlow(at, "/ui/login"));
  const button = isElsewhere ? undefined : ({ to: "restart", href: start } as const);
  return showError(deps, visit, { error: staleErrors[why], button }, isLink ? "account" : "login");
}

/** Sends the browser back to the application that started the attempt. */
function tellApplication(deps: PageDeps, visit: Visit, outcome: Known): Promise<WebResponse> | WebResponse {
  const { intentId: id, successUrl, failureUrl } = outcome.intent;
  if (outcome.outcome === "succeeded") {
    if (successUrl === null) return invalid(deps, visit);
    const user = outcome.userId === undefined ? {} : { user: outcome.userId };
    return seeOther(withParameters(successUrl, { id, token: outcome.token.reveal(), ...user }));
  }
  if (failureUrl === null) return invalid(deps, visit);
  const description = deps.texts.translate("en", `fault.identity_intent.${outcome.failure}`);
  const error = outcome.failure === "denied" ? "access_denied" : outcome.failure;
  return seeOther(withParameters(failureUrl, { id, error, error_description: description }));
}

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
