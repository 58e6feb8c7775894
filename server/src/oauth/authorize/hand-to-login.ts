import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { type AuthRequestParameters, insertAuthRequest } from "../../domain/auth-request/index.ts";
import { findSignUpPlace } from "../../domain/sign-up/index.ts";
import { type Browser, browserCookie, newBrowser, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import type { SessionChoice } from "./choose-session.ts";

export interface HandedRequest {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  /** Undefined for one that is new to us. */
  readonly browser: Browser | undefined;
  readonly wanted: SessionChoice["kind"];
}

const pages = {
  // The session ended just now.
  answer: "/ui/login",
  choose: "/ui/login/accounts",
  login: "/ui/login",
  register: "/ui/login/register",
} as const satisfies Record<SessionChoice["kind"], string>;

/**
 * Keeps a request until somebody has signed in, and sends the browser to the page where that begins. The request is bound to the browser that
 * brought it, by a secret in a cookie: nobody else can answer it.
 */
export async function handToLogin(
  deps: OAuthDeps,
  { call, instance }: WebRequest,
  { client, parameters, wanted, ...brought }: HandedRequest,
): Promise<WebResponse> {
  if (wanted === "register") await requireSignUp(deps, call, parameters);
  const browser = brought.browser ?? newBrowser(deps.random);
  const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
  const authRequestId = deps.newId();
  await deps.database.touch(call, async (tx) =>
    insertAuthRequest(tx, {
      authRequestId,
      clientId: client.clientId,
      applicationId: client.applicationId,
      browserHash: browser.hash,
      parameters,
      expiresAt: call.now + settings.authRequestLifetimeSeconds * 1000,
    }),
  );
  const cookie = brought.browser === undefined ? { "set-cookie": browserCookie(browser, instance.origin) } : {};
  return redirect(`${pages[wanted]}?${new URLSearchParams({ authRequest: authRequestId }).toString()}`, cookie);
}

// Initiating User Registration via OpenID Connect §4.1: a value that is not supported here is `invalid_request`.
async function requireSignUp(deps: OAuthDeps, call: Call, parameters: AuthRequestParameters): Promise<void> {
  const organizationId = parameters.organizationId ?? (await deps.defaultOrganizationIdOf(call.instanceId));
  const place = await findSignUpPlace(deps, call.instanceId, organizationId);
  if (place === undefined) throw new OAuthError("invalid_request", "prompt create: nobody can create an account here");
}
