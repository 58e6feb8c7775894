import { type AuthRequestParameters, insertAuthRequest } from "../../domain/auth-request/index.ts";
import { listSignedInSessions } from "../../domain/session/index.ts";
import {
  type Browser,
  browserCookie,
  newBrowser,
  readBrowser,
  type WebHandler,
  type WebRequest,
  type WebResponse,
} from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import { readIdTokenHint } from "../own-tokens.ts";
import { type Parameters, parseForm, parseParameters, RepeatedParameter } from "../parameters.ts";
import { repeatableResource } from "../resource.ts";
import { chooseResponseMode, redirect } from "../response-mode/response-mode.ts";
import { answerWithCode, errorUrl } from "./answer.ts";
import { type AuthorizationRequest, checkAuthorizationRequest } from "./authorization-request.ts";
import { chooseSession } from "./choose-session.ts";
import { isReference, unfoldPushedRequest } from "./pushed-request.ts";
import { resolveClient, UntrustedRequest } from "./resolve-client.ts";
import { resolveOrganization } from "./resolve-organization.ts";

export interface AuthorizeDeps extends OAuthDeps {
  /** Words a request that may not leave the server as a page for the person. */
  readonly renderUntrusted: (request: WebRequest, reason: UntrustedRequest | OAuthError) => WebResponse;
}

/**
 * The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). Client and redirect URI first, on a page when they are wrong; every
 * other error goes to the client by redirect, with `state` and `iss`.
 */
export function createAuthorizeEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    const { parameters: sent, repeated } = readParameters(request);
    try {
      const parameters = await unfoldPushedRequest(deps, request.call, sent);
      const { client, redirectUri } = await resolveClient(deps, request.call, parameters);
      const target = {
        redirectUri,
        responseMode: chooseResponseMode(parameters.get("response_mode")),
        ...(parameters.has("state") && { state: parameters.get("state") as string }),
      };
      try {
        if (repeated !== undefined) throw repeated;
        if (client.isPushRequired && !isReference(sent)) {
          throw new OAuthError("invalid_request", "the client must push its authorization requests");
        }
        const checked = checkAuthorizationRequest(parameters, {
          client,
          redirectUri,
          namespaceAliases: deps.namespaceAliases,
        });
        return await proceed(deps, request, checked);
      } catch (error) {
        const worded = toOAuthError(error);
        if (worded.code === "server_error") deps.report(error, request.call.requestId);
        return redirect(errorUrl(worded, target, request.instance.origin));
      }
    } catch (error) {
      if (error instanceof UntrustedRequest) return deps.renderUntrusted(request, repeated ?? error);
      if (error instanceof OAuthError && error.code === "invalid_request_uri")
        return deps.renderUntrusted(request, error);
      throw error;
    }
  };
}

/** The parameters, as far as each has one value; `repeated` is the error to give once it is known where to. */
function readParameters(request: WebRequest): { parameters: Parameters; repeated: OAuthError | undefined } {
  try {
    const parameters =
      request.method === "POST"
        ? parseForm(request.header("content-type"), request.body, repeatableResource)
        : parseParameters(request.query, repeatableResource);
    return { parameters, repeated: undefined };
  } catch (error) {
    if (error instanceof RepeatedParameter) return { parameters: error.others, repeated: error };
    if (error instanceof OAuthError) return { parameters: new Map(), repeated: error };
    throw error;
  }
}

async function proceed(deps: AuthorizeDeps, request: WebRequest, checked: AuthorizationRequest): Promise<WebResponse> {
  const { call, instance } = request;
  const parameters = await toParameters(deps, request, checked);
  const browser = readBrowser(request);
  const sessions = browser ? await listSignedInSessions(deps, call, browser.hash) : [];
  const choice = chooseSession(sessions, { ...parameters, requestedAt: call.now }, call.now);
  if (choice.kind === "answer") {
    const { session } = choice;
    const input = { client: checked.client, parameters, session, authRequestId: undefined, issuer: instance.origin };
    const url = await answerWithCode(deps, call, input);
    if (url !== undefined) return redirect(url);
  }
  return handToLogin(deps, request, checked, parameters, {
    browser,
    page: choice.kind === "choose" ? "/ui/login/accounts" : "/ui/login",
  });
}

async function toParameters(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  checked: AuthorizationRequest,
): Promise<AuthRequestParameters> {
  const organizationId = await resolveOrganization(deps, call, checked.scope);
  // A hint that is not a token of ours is passed over: it is only a hint.
  const issuer = { instanceId: call.instanceId, issuer: instance.origin };
  const hint = checked.idTokenHint && (await readIdTokenHint(deps, issuer, checked.idTokenHint));
  const { state, nonce, codeChallenge, dpopThumbprint, resources, maxAge, loginHint } = checked;
  return {
    redirectUri: checked.redirectUri,
    responseType: checked.responseType,
    responseMode: checked.responseMode,
    scope: checked.scope,
    prompt: [...checked.prompt],
    uiLocales: checked.uiLocales,
    ...(state !== undefined && { state }),
    ...(nonce !== undefined && { nonce }),
    ...(codeChallenge !== undefined && { codeChallenge }),
    ...(dpopThumbprint !== undefined && { dpopThumbprint }),
    ...(resources.length > 0 && { resources }),
    ...(maxAge !== undefined && { maxAge }),
    ...(loginHint !== undefined && { loginHint }),
    ...(hint && { hintUserId: hint.subject }),
    ...(organizationId !== undefined && { organizationId }),
  };
}

// The request is bound to the browser that brought it, by a secret in a cookie: nobody else can answer it.
async function handToLogin(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  { client }: AuthorizationRequest,
  parameters: AuthRequestParameters,
  login: { readonly browser: Browser | undefined; readonly page: string },
): Promise<WebResponse> {
  const browser = login.browser ?? newBrowser(deps.random);
  const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
  const authRequestId = deps.newId();
  await deps.database.touch(call, (tx) =>
    insertAuthRequest(tx, {
      authRequestId,
      clientId: client.clientId,
      applicationId: client.applicationId,
      browserHash: browser.hash,
      parameters,
      expiresAt: call.now + settings.authRequestLifetimeSeconds * 1000,
    }),
  );
  const cookie = login.browser === undefined ? { "set-cookie": browserCookie(browser, instance.origin) } : {};
  return redirect(`${login.page}?${new URLSearchParams({ authRequest: authRequestId }).toString()}`, cookie);
}
