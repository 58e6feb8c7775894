import { readingOrganizationOf } from "../../../authority/index.ts";
import { completeWebAddress } from "../../../base/names/web-address.ts";
import type { Client } from "../../../domain/application/index.ts";
import { type AuthRequest, findPastAuthRequest } from "../../../domain/auth-request/index.ts";
import { findDeviceAuthorizationOfBrowser } from "../../../domain/device-authorization/index.ts";
import { findOrganization } from "../../../domain/organization/index.ts";
import { findSession } from "../../../domain/session/index.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import {
  type BrowserVisit,
  type CurrentSignIn,
  findAttempt,
  findSignIn,
  type SignInState,
  unnamed,
} from "../../../domain/sign-in/index.ts";
import type { FormError, Href, PageContext } from "../../../html/index.ts";
import { endpointPaths, type WebRequest, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { ClientView } from "../../parts/client.ts";
import { pathTo, seeOther } from "../../visit/answer.ts";
import { showError } from "../../visit/show-error.ts";
import { hostOf, inLanguageOf, type Visit } from "../../visit/visit.ts";
import { admitsNewcomers } from "./admits-newcomers.ts";
import { findClientFace } from "./find-client-face.ts";
import { findLook } from "./find-look.ts";
import { type GoalName, goalOf, isGoal } from "./goals.ts";
import { startAt } from "./start-at.ts";

/** A visit of the login, for a waiting application or for none. */
export interface Flow {
  readonly visit: Visit;
  /** The browser, in the form that the domain expects. */
  readonly steps: BrowserVisit;
  readonly signIn: CurrentSignIn;
  readonly authRequestId: string | undefined;
  /** The device that waits for approval, when the login is for one. */
  readonly deviceId: string | undefined;
  /** The page of ours that the login is for, when it is for one. */
  readonly goal: GoalName | undefined;
  /** The organization that the address names, discovered by the entered name, or given by a link. */
  readonly organizationId?: string | undefined;
  readonly client: ClientView | undefined;
}

/**
 * Returns the state of the login, or the page that says why it cannot continue. A request of an application with a
 * custom login is known to the page of impersonations alone: any other address leads on to where it belongs.
 */
export async function findFlow(
  deps: PageDeps,
  visit: Visit,
  page: "login" | "impersonation" = "login",
): Promise<Flow | WebResponse> {
  const authRequestId = visit.query.get("authRequest") ?? undefined;
  if (authRequestId === undefined) return findDeviceFlow(deps, visit);
  const { call, browser, request } = visit;
  const found = await findAttempt(deps, request, { browser, authRequestId });
  // The request of another browser counts as absent, so that a sign-in cannot be continued elsewhere.
  if (found === undefined) return showGone(deps, visit);
  const { authRequest } = found;
  if (authRequest.parameters.isForImpersonation === true && page !== "impersonation") {
    return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
  }
  const client = await deps.clients.find(call.instanceId, authRequest.clientId);
  if (client === undefined) return showError(deps, visit, { error: "client_unknown" });
  if (!client.isActive)
    return showError(deps, visit, { error: "client_inactive", client: toView(client, authRequest) });
  return toFlow(deps, inLanguageOf(visit, authRequest.parameters.uiLocales), { ...found, client });
}

async function findDeviceFlow(deps: PageDeps, visit: Visit): Promise<Flow | WebResponse> {
  const { call, browser } = visit;
  const attempt = { browserHash: browser.hash, authRequestId: undefined };
  const signIn = await findSignIn(deps.database.read, call.instanceId, attempt, call.now);
  const flow = await toFlow(deps, visit, { authRequest: undefined, client: undefined, signIn });
  const deviceAuthorizationId = visit.query.get("device");
  if (deviceAuthorizationId === null) return flow;
  const key = { deviceAuthorizationId, browserHash: browser.hash };
  const device = await findDeviceAuthorizationOfBrowser(deps.database.read, call.instanceId, key);
  const client = device && (await deps.clients.find(call.instanceId, device.clientId));
  if (client === undefined || device === undefined || device.expiresAt <= call.now) return showGone(deps, visit);
  const look = await findLook(deps, { call, authRequest: undefined, client, signIn: flow.signIn });
  return {
    ...flow,
    visit: { ...flow.visit, ...look },
    deviceId: deviceAuthorizationId,
    client: { name: client.name, ...(await findClientFace(deps, call, client, "elsewhere")) },
  };
}

export const isFlow = (found: Flow | WebResponse): found is Flow => "steps" in found;

/**
 * Answers that the request does not exist: already answered, expired, or of another browser. The user can start again
 * at the application, if it has an address for that (OpenID Connect Core §4).
 */
export async function showGone(deps: PageDeps, visit: Visit): Promise<WebResponse> {
  if (!visit.isKnown) return showError(deps, visit, { error: "cookies_missing" });
  const { call, browser, query, request } = visit;
  const key = { authRequestId: query.get("authRequest") ?? "", browserHash: browser.hash };
  const past = await findPastAuthRequest(deps.database.read, call.instanceId, key);
  const client = past && (await deps.clients.find(call.instanceId, past.clientId));
  const href =
    client?.isActive === true ? startAt(client, request.instance.origin, past?.parameters.loginHint) : undefined;
  if (href === undefined || client === undefined) return showError(deps, visit, { error: "request_expired" });
  return showError(deps, visit, {
    error: "request_expired",
    client: { name: client.name },
    button: { to: "return", href },
  });
}

/** What is stored about a login. */
interface Found {
  readonly authRequest: AuthRequest | undefined;
  readonly client: Client | undefined;
  readonly signIn: CurrentSignIn | undefined;
}

const beginning: CurrentSignIn = { ...unnamed, userOrganizationId: undefined };

async function toFlow(deps: PageDeps, visit: Visit, { authRequest, client, signIn = beginning }: Found): Promise<Flow> {
  const { call, browser, request } = visit;
  const isForNone = authRequest === undefined && !visit.query.has("device");
  const named = isForNone ? (visit.query.get("goal") ?? "") : "";
  const goal = isGoal(named) ? named : undefined;
  const maxAge = goal && goalOf(goal).maxAge;
  const organizationId = await findLedTo(deps, visit, authRequest);
  const steps: BrowserVisit = {
    browserHash: browser.hash,
    authRequest,
    userAgent: describeAgent(request),
    host: hostOf(request),
    maxAge,
    ...(organizationId !== undefined && { organizationId }),
    // Of a stranger's application it is the empty text.
    ...(client && authRequest && { applicationOrganizationId: readingOrganizationOf(client) || undefined }),
    admitsNewcomers: (wanted, named = signIn) => admitsNewcomers(deps, call, { authRequest, signIn: named }, wanted),
  };
  const shown = client &&
    authRequest && { ...toView(client, authRequest), ...(await findClientFace(deps, call, client, "elsewhere")) };
  const look = await findLook(deps, { call, authRequest, client, signIn });
  const authRequestId = authRequest?.authRequestId;
  const common = { steps, signIn, authRequestId, deviceId: undefined, goal, organizationId, client: shown };
  const looking = { ...visit, ...look };
  const returnTo = shown && { client: shown.name, action: inFlow(common, "/ui/login/return") };
  return { visit: returnTo === undefined ? looking : { ...looking, returnTo }, ...common };
}

// An address may name any organization, as the scope of a request may: it selects settings and does not grant or deny
// access. Whether new users are created there without a question, and its links count, is decided by
// `admitsNewcomers`.
async function findLedTo(
  deps: PageDeps,
  { query, call }: Visit,
  authRequest: AuthRequest | undefined,
): Promise<string | undefined> {
  const named = query.get("organization");
  if (named === null || authRequest?.parameters.organizationId !== undefined) return undefined;
  const organization = await findOrganization(deps.database.read, call.instanceId, named);
  return organization?.state === "active" ? organization.organizationId : undefined;
}

const pages: Readonly<Record<SignInState, string>> = {
  unnamed: "/ui/login",
  identified: "/ui/login/password",
  second_factor: "/ui/login/second-factor",
  second_factor_setup: "/ui/login/add-factor",
  second_factor_offer: "/ui/login/add-factor",
  change_required: "/ui/login/password-change",
  change_expired: "/ui/login/password-change",
  sign_up: "/ui/login/register/confirm",
};

/** The part of a login that the addresses of its pages carry. */
export type FlowAddress = Pick<Flow, "authRequestId" | "deviceId" | "goal" | "organizationId">;

/** Returns the address of a page for the same request. */
export const inFlow = (
  { authRequestId, deviceId, goal, organizationId }: FlowAddress,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Href =>
  pathTo(path, { authRequest: authRequestId, device: deviceId, goal, organization: organizationId, ...parameters });

/** Returns the page on which a state continues. */
export const pageOf = (
  flow: FlowAddress,
  state: SignInState,
  parameters: Readonly<Record<string, string>> = {},
): Href => inFlow(flow, pages[state], parameters);

/**
 * Returns the page for a signed-in user when no application is waiting: that of the waiting device, of the goal, or the
 * confirmation.
 */
export function pageOfSignedIn({ deviceId, goal }: Pick<Flow, "deviceId" | "goal">, sessionId?: string): Href {
  if (deviceId !== undefined) return pathTo("/ui/login/device/confirm", { device: deviceId, session: sessionId });
  return goal === undefined ? pathTo("/ui/login/signed-in") : pathTo(goalOf(goal).path, { session: sessionId });
}

/**
 * Returns the address for a browser that has a session for the request: the application, otherwise that which the
 * settings of the user's own organization name, or a page of ours. An address may name any organization, and its
 * administrators must not send users of others anywhere.
 */
export async function whereNext(deps: PageDeps, flow: Flow, sessionId: string | undefined): Promise<string> {
  const { visit, authRequestId, deviceId, goal } = flow;
  if (authRequestId !== undefined) return pathTo(endpointPaths.authorizationCallback, { id: authRequestId });
  if (deviceId !== undefined || goal !== undefined) return pageOfSignedIn(flow, sessionId);
  const { instanceId } = visit.call;
  const session = sessionId === undefined ? undefined : await findSession(deps.database.read, instanceId, sessionId);
  const settings = await loginSettingsOf(deps, visit.call, session ?? {});
  return completeWebAddress(settings.defaultRedirectUri) ?? "/ui/login/signed-in";
}

/** Returns the errors of the last form. */
export function errorsOf<Field extends string>(
  deps: PageDeps,
  context: PageContext,
  { signIn }: Flow,
  fields: readonly Field[],
): FormError<Field>[] {
  if (signIn.problem === undefined) return [];
  const { id, values } = signIn.problem;
  const field = fields.find((candidate) => candidate === signIn.problem?.field);
  const message = deps.texts.translate(context.language, `fault.${id}`, values);
  return [{ message, ...(field !== undefined && { field }) }];
}

function toView({ name }: Client, { parameters }: AuthRequest): ClientView {
  const url = URL.parse(parameters.redirectUri);
  return { name, host: url !== null && /^https?:$/.test(url.protocol) ? url.host : undefined };
}

const longestDescription = 500;

/** Describes the browser for the user's list of sessions. */
function describeAgent(request: WebRequest) {
  const agent = request.header("user-agent")?.slice(0, longestDescription);
  return { ip: request.clientAddress, ...(agent !== undefined && { header: { "user-agent": [agent] } }) };
}
