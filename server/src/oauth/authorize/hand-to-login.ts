import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import {
  type AuthRequest,
  type AuthRequestParameters,
  insertAuthRequest,
  releaseAuthRequest,
} from "../../domain/auth-request/index.ts";
import { findPresentClient } from "../../domain/registration/index.ts";
import { findSignUpOrganization } from "../../domain/sign-up/index.ts";
import {
  type Browser,
  browserCookie,
  newBrowser,
  requestCookie,
  type WebRequest,
  type WebResponse,
} from "../../web/index.ts";
import { customLoginUrl } from "../custom-login.ts";
import type { OAuthDeps } from "../deps.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import type { SessionChoice } from "./choose-session.ts";

export interface HandedRequest {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  /** Undefined for a new browser. */
  readonly browser: Browser | undefined;
  readonly wanted: SessionChoice["kind"] | "consent" | "impersonation";
  /** Session of the browser that will answer the request, once its user consents. */
  readonly sessionId?: string | undefined;
}

/** How long a browser proves a request by a cookie of its own: time enough to sign in beside another tab. */
const ownCookieSeconds = 3_600;

const pages = {
  // The session has just ended.
  answer: "/ui/login",
  choose: "/ui/login/accounts",
  login: "/ui/login",
  register: "/ui/login/register",
  consent: "/ui/login/consent",
  impersonation: "/ui/login/impersonation",
} as const satisfies Record<HandedRequest["wanted"], string>;

/**
 * Stores a request until the user has signed in, and redirects the browser to the sign-in page. A secret in a cookie
 * binds the request to this browser: no other one can answer it.
 */
export async function handToLogin(
  deps: OAuthDeps,
  { call, instance }: WebRequest,
  { client, parameters, wanted, sessionId, ...brought }: HandedRequest,
): Promise<WebResponse> {
  if (wanted === "register") await requireSignUp(deps, call, parameters);
  const browser = brought.browser ?? newBrowser(deps.random);
  const authRequestId = deps.newId();
  await putRequest(deps, call, { authRequestId, client, parameters, browserHash: browser.hash, sessionId });
  const address = `${pages[wanted]}?${new URLSearchParams({ authRequest: authRequestId }).toString()}`;
  if (brought.browser !== undefined) return redirect(address);
  const { origin } = instance;
  const own = requestCookie(authRequestId, browser, { origin, maxAgeSeconds: ownCookieSeconds });
  return redirect(address, { "set-cookie": [browserCookie(browser, origin), own] });
}

/** Prefix of request ids for custom logins, which lets these tell them from those of other protocols. */
const customPrefix = "V2_";

/**
 * Stores a request for a custom login, and redirects the browser there. It is not bound to a browser: the custom login
 * has its own cookies, on a host that we may not know, and answers with `CreateCallback`, or `CreateResponse` for SAML.
 * Our own pages do not know the request, so that login cannot be bypassed.
 */
export async function handToCustomLogin(
  deps: OAuthDeps,
  { call }: WebRequest,
  { client, parameters, base }: Pick<HandedRequest, "client" | "parameters"> & { readonly base: string },
): Promise<WebResponse> {
  if (parameters.prompt.includes("create")) await requireSignUp(deps, call, parameters);
  const authRequestId = `${customPrefix}${deps.newId()}`;
  await putRequest(deps, call, { authRequestId, client, parameters, browserHash: undefined, sessionId: undefined });
  const parameter = parameters.saml === undefined ? "authRequest" : "samlRequest";
  return redirect(customLoginUrl(base, "login", { [parameter]: authRequestId }));
}

/**
 * Hands a request that waited for an impersonation to the custom login of its application; undefined when it is not
 * open in this browser.
 */
export async function releaseToCustomLogin(
  deps: OAuthDeps,
  { call }: WebRequest,
  { found, base, browserHash }: { readonly found: AuthRequest; readonly base: string; readonly browserHash: string },
): Promise<WebResponse | undefined> {
  const { isForImpersonation: _only, ...parameters } = found.parameters;
  const { authRequestId } = found;
  const newId = `${customPrefix}${deps.newId()}`;
  const key = { authRequestId, browserHash, newId, parameters };
  if (!(await deps.database.touch(call, (tx) => releaseAuthRequest(tx, key)))) return undefined;
  return redirect(customLoginUrl(base, "login", { authRequest: newId }));
}

interface KeptRequest {
  readonly authRequestId: string;
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  readonly browserHash: string | undefined;
  readonly sessionId: string | undefined;
}

async function putRequest(deps: OAuthDeps, call: Call, { client, ...asked }: KeptRequest): Promise<void> {
  const { instanceId, now, source = "" } = call;
  const clientVersion = await findVersion(deps, { client, ...asked });
  const parameters = { ...asked.parameters, ...(clientVersion !== undefined && { clientVersion }) };
  const request = { ...asked, parameters };
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  const wait = deps.budgets.take("authorization_bytes_of_source", { instanceId, now, source }, bytes);
  if (wait > 0) throw new OAuthError("temporarily_unavailable", "too many requests wait for a sign-in already");
  const { settings } = await deps.settings.get("oidc", { instanceId });
  const expiresAt = call.now + settings.authRequestLifetimeSeconds * 1000;
  const { clientId, applicationId } = client;
  await deps.database.touch(call, async (tx) =>
    insertAuthRequest(tx, { ...request, clientId, applicationId, expiresAt }),
  );
}

// For requests that a login client may report a consent to.
const findVersion = async (
  { database }: OAuthDeps,
  { client, browserHash, parameters }: Pick<KeptRequest, "client" | "browserHash" | "parameters">,
): Promise<string | undefined> =>
  client.isConsentRequired || browserHash === undefined || parameters.isForImpersonation === true
    ? (await findPresentClient(database.read, client))?.version
    : undefined;

// Initiating User Registration via OpenID Connect §4.1: a value that is not supported here is `invalid_request`.
async function requireSignUp(deps: OAuthDeps, call: Call, parameters: AuthRequestParameters): Promise<void> {
  const organizationId = parameters.organizationId ?? (await deps.defaultOrganizationIdOf(call.instanceId));
  const organization = await findSignUpOrganization(deps, call.instanceId, organizationId);
  if (organization === undefined)
    throw new OAuthError("invalid_request", "prompt create: no account can be created here");
}
