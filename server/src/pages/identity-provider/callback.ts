import {
  type AnswerOutcome,
  type IdentityIntent,
  type ProviderAnswer,
  receiveAnswer,
} from "../../domain/identity-provider-intent/index.ts";
import type { WebHandler, WebResponse, WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { externalPage } from "../login/steps/external-address.ts";
import { type FlowAddress, inFlow } from "../login/steps/flow.ts";
import { goalNamed } from "../login/steps/goals.ts";
import { goOn } from "../login/steps/provider-answer.ts";
import type { PageError } from "../login/views/error.ts";
import { seeOther } from "../visit/answer.ts";
import { showError } from "../visit/show-error.ts";
import { openVisit, type Visit } from "../visit/visit.ts";

/** Where providers send browsers back to, and where those come whose proxy adds a signed token. */
export const createProviderRoutes = (deps: PageDeps): WebRoute[] => [
  route("/idps/callback", async (request) => {
    const visit = await openVisit(deps, request);
    const { query } = visit;
    const state = only(query, "state");
    const said = readAnswer(query);
    return state === undefined || said === undefined ? invalid(deps, visit) : receive(deps, visit, state, said);
  }),
  route("/idps/jwt", async (request) => {
    const visit = await openVisit(deps, request);
    const state = only(visit.query, "authRequestID");
    const said = { header: (name: string) => request.header(name) };
    return state === undefined ? invalid(deps, visit) : receive(deps, visit, state, said);
  }),
];

const route = (path: string, handler: WebHandler): WebRoute => ({
  ...{ methods: ["GET"], path, handler, protocol: "page", rateLimit: "login", bodyLimit: 1024 },
});

const longest = 8192;

/** A parameter that is there once: of two, nobody knows which one was meant (RFC 6749 §3.1). */
function only(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  return value === undefined || value === "" || value.length > longest || others.length > 0 ? undefined : value;
}

function readAnswer(query: URLSearchParams): ProviderAnswer["said"] | undefined {
  if (query.getAll("iss").length > 1) return undefined;
  const issuer = query.get("iss") ?? undefined;
  const error = only(query, "error");
  if (error !== undefined) return { error, issuer };
  const code = only(query, "code");
  return code === undefined ? undefined : { code, issuer };
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
  const { origin } = visit.request.instance;
  const outcome = await receiveAnswer(deps, visit.call, { state, browserHash, origin, said });
  if (outcome.outcome === "stale") return explainStale(deps, visit, outcome);
  return outcome.intent.browserHash === null ? tellApplication(deps, visit, outcome) : goOn(deps, visit, outcome);
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

/** An answer that is not taken: leads to where its attempt stands, or says what happened and how to go on. */
function explainStale(deps: PageDeps, visit: Visit, { why, intent }: Stale): Promise<WebResponse> | WebResponse {
  const isHosted = intent !== undefined && intent.browserHash !== null;
  if (!isHosted) return showError(deps, visit, { error: "request_expired" });
  const at = addressOf(intent);
  // Reloaded, or sent twice.
  if (intent.browserHash === visit.browser.hash && why === "used") return seeOther(externalPage(at, intent.intentId));
  const isElsewhere = why === "other_browser";
  const button = isElsewhere ? undefined : ({ to: "restart", href: inFlow(at, "/ui/login") } as const);
  return showError(deps, visit, { error: staleErrors[why], button });
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
